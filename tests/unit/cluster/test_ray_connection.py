"""Connecting to Ray: what is refused, each with one line, and what a connection promises."""

import json
import os
import platform
import socket
import tomllib
from contextlib import suppress
from importlib import metadata
from pathlib import Path

import pytest
from ports import reserved_port
from ray_cluster import RayCluster, started_cluster

from exonym.cluster import ray_connection
from exonym.cluster.ray_connection import connect
from exonym.cluster.ray_probe import ClusterAnswer, check_answer, probe
from exonym.errors import ClusterError, ConfigError
from exonym.version import __version__


def refusal(address: str | None) -> str:
    """Why the connection is refused: one line."""
    with pytest.raises(ClusterError) as refused, connect(address):
        pass
    assert len(str(refused.value).splitlines()) == 1
    return str(refused.value)


@pytest.fixture
def without_token(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in os.environ if name.startswith("RAY_AUTH")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))


def test_missing_ray_is_refused_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exonym.system.extras.find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"ray must be installed .*pip install 'exonym\[cluster\]'"), connect():
        pass


@pytest.mark.parametrize("old", ["2.54.1", "2.9.3", "1.13.0"])
def test_ray_with_known_holes_is_refused(monkeypatch: pytest.MonkeyPatch, old: str) -> None:
    monkeypatch.setattr(ray_connection, "version", lambda name: old)
    assert refusal(None).startswith(f"Ray {old} has known security holes; Exonym needs Ray 2.55 or newer.")


def test_floor_of_the_dependency_is_the_floor_that_is_checked() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["optional-dependencies"]["cluster"] == ["ray>=2.55"]
    assert ray_connection.LEAST_RAY == (2, 55)


@pytest.mark.parametrize("address", ["here", "10.0.0.1", "10.0.0.1:port", "ray://10.0.0.1:10001", "a b:1", ":6379"])
def test_address_that_is_none_is_refused(address: str) -> None:
    assert refusal(address).startswith("--address must be auto or HOST:PORT")


@pytest.mark.usefixtures("without_token")
def test_existing_cluster_is_refused_without_a_token() -> None:
    assert "there is no token. Put the token that the cluster was started with into" in refusal("127.0.0.1:6379")


@pytest.mark.usefixtures("without_token")
def test_empty_file_is_no_token(tmp_path: Path) -> None:
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray" / "auth_token").write_text("\n")
    assert "there is no token" in refusal("127.0.0.1:6379")


@pytest.mark.usefixtures("without_token")
def test_token_file_that_is_named_and_missing_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(tmp_path / "token"))
    assert refusal("127.0.0.1:6379").startswith(f"RAY_AUTH_TOKEN_PATH: {tmp_path / 'token'} cannot be read: ")


def test_address_where_nothing_listens_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", "any")
    with reserved_port() as port:
        assert refusal(f"127.0.0.1:{port}").startswith(f"No Ray cluster answers at 127.0.0.1:{port}.")


def test_address_where_something_else_listens_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", "any")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"^No Ray cluster answers at {address}. "):
            probe(address, 1)


def test_auto_without_a_cluster_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path))
    assert refusal("auto").startswith("No Ray cluster runs on this machine.")


def test_cluster_that_runs_is_found_and_used(ray_cluster: RayCluster) -> None:
    lines: list[str] = []
    with connect("auto", lines.append) as connection:
        assert connection.address == ray_cluster.address
        assert (len(connection.node_ids), connection.cores) == (1, 2)
    assert lines == ["Ray listens on 127.0.0.1 only, and asks for a token."]


def test_wrong_token_is_refused(ray_cluster: RayCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_TOKEN", "wrong")
    assert refusal(ray_cluster.address).startswith(f"The cluster at {ray_cluster.address} refuses the token.")


def test_cluster_of_other_versions_is_refused(ray_cluster: RayCluster) -> None:
    # What a cluster says of its versions is written when it starts; only this is another one's.
    from ray._common.usage.usage_constants import CLUSTER_METADATA_KEY
    from ray._raylet import GcsClient

    client = GcsClient(address=ray_cluster.address)
    said = client.internal_kv_get(CLUSTER_METADATA_KEY, namespace=b"cluster", timeout=60)
    other = json.dumps(json.loads(said) | {"ray_version": "2.59.1", "python_version": "3.12.3"}).encode()
    try:
        client.internal_kv_put(CLUSTER_METADATA_KEY, other, overwrite=True, namespace=b"cluster", timeout=60)
        refused = refusal(ray_cluster.address)
    finally:
        client.internal_kv_put(CLUSTER_METADATA_KEY, said, overwrite=True, namespace=b"cluster", timeout=60)
    ours = f"{metadata.version('ray')} and {platform.python_version()}"
    assert refused == (
        f"The cluster at {ray_cluster.address} has Ray 2.59.1 and Python 3.12.3, this machine has {ours}. "
        "Install the same on all machines."
    )


@pytest.mark.parametrize(
    ("alive", "said"),
    [
        ((), "No node of the cluster at 192.0.2.7:6379 is alive. Start one: ray start --address 192.0.2.7:6379"),
        # An address of RFC 5737: no machine has it but in documents.
        (("203.0.113.9",), "This machine is no node of the cluster. Make it one: ray start --address 192.0.2.7:6379"),
    ],
)
def test_cluster_without_a_node_here_is_refused(alive: tuple[str, ...], said: str) -> None:
    answer = ClusterAnswer(alive, metadata.version("ray"), platform.python_version())
    with pytest.raises(ClusterError) as refused:
        check_answer(answer, "192.0.2.7:6379")
    assert str(refused.value) == said


def test_cluster_without_authentication_is_refused() -> None:
    with started_cluster("disabled") as open_to_all:
        assert refusal(open_to_all.address).startswith("The node 127.0.0.1 was started without token authentication")


def test_all_that_listens_listens_on_loopback(ray_cluster: RayCluster) -> None:
    with connect(ray_cluster.address):
        ports = listening_here()
    assert len(ports) >= 4  # at least: the control service, two of the node, its agent
    assert {host for host, _ in ports} == {"127.0.0.1"}


def test_node_with_another_exonym_is_refused(ray_cluster: RayCluster, tmp_path: Path) -> None:
    (tmp_path / "exonym").mkdir()
    (tmp_path / "exonym" / "__init__.py").touch()
    (tmp_path / "exonym" / "version.py").write_text('__version__ = "0.0.7"\n')
    node = ray_cluster.cluster.add_node(num_cpus=1, env_vars={"PYTHONPATH": str(tmp_path)})
    try:
        assert refusal(ray_cluster.address) == (
            f"The node 127.0.0.1 has Exonym 0.0.7, this machine has {__version__}. Install {__version__} there."
        )
    finally:
        ray_cluster.cluster.remove_node(node)


def listening_here() -> set[tuple[str, int]]:
    """(address, port) of all TCP sockets that listen, of this process and all that descend from it."""
    parents: dict[str, str] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[stat.parent.name] = stat.read_text().rpartition(")")[2].split()[1]
    ours, sockets = {str(os.getpid())}, set()
    while more := {child for child, parent in parents.items() if parent in ours and child not in ours}:
        ours |= more
    for process in ours:
        with suppress(OSError):
            sockets |= {os.readlink(file) for file in Path(f"/proc/{process}/fd").iterdir()}
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            _, local, _, state, *_, inode = line.split()[:10]
            if state == "0A" and f"socket:[{inode}]" in sockets:
                host, port = local.split(":")
                words = [bytes.fromhex(host[at : at + 8])[::-1] for at in range(0, len(host), 8)]
                mapped = len(words) == 4 and words[:3] == [b"\0" * 4, b"\0" * 4, b"\0\0\xff\xff"]
                family = socket.AF_INET if len(words) == 1 or mapped else socket.AF_INET6
                packed = words[-1] if family == socket.AF_INET else b"".join(words)
                found.add((socket.inet_ntop(family, packed), int(port, 16)))
    return found
