"""The connection to Ray: to a cluster that runs, or to one of this machine's cores that begins and ends with us.

Guaranteed before any work is done: Ray has no known holes, a token is required everywhere, and all nodes have this
version of Exonym. A local cluster listens on the loopback address alone. Ray prints nothing.
"""

import logging
import os
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from exonym.cluster.ray_probe import probe
from exonym.errors import ClusterError
from exonym.progress import Tell
from exonym.system import processes
from exonym.system.extras import require
from exonym.version import __version__

LEAST_RAY = (2, 55)  # docs/decisions/0027-ray.md says why

_NODE_SECONDS = 60  # within which each node must start a process: Python and Ray are imported there
_LONGEST_PLACE = 30  # bytes; the paths of Ray's sockets add 70 to it, and 107 are allowed
_LOCAL_STORE_BYTES = 200_000_000  # what does not fit is kept on disk
# Ray reads these when it is imported.
QUIET = {
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else a FutureWarning about accelerators
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # else tasks that died are told on stdout: `log_to_driver` does not cover these
    "RAY_DISABLE_IMPORT_WARNING": "1",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
}


@dataclass(frozen=True, slots=True)
class RayConnection:
    """A cluster that this process is connected to."""

    address: str  # HOST:PORT
    node_ids: tuple[str, ...]  # alive, in the order of their addresses
    cores: int  # of all nodes
    most_memory: int  # bytes for tasks on the node that has most
    listening: str  # which addresses Ray listens on, for the user


@contextmanager
def connect(address: str | None = None, tell: Tell | None = None, jobs: int = 0) -> Iterator[RayConnection]:
    """Connect this process to the cluster at `auto` or HOST:PORT; None starts one of `jobs` cores of this machine.

    `tell` gets a line that says where Ray listens.
    """
    require("cluster")
    _check_ray()
    with _environment() as environment:
        directory = None
        if address is None:
            directory = _short_directory()
            options: dict[str, Any] = _local_options(environment, directory, jobs)
        else:
            address = _found(address)
            _require_token()
            options = {"address": address}
            if _is_loopback(address):
                _listen_on_loopback(environment)
            probe(address)
        try:
            with _ray(options, address or "this machine") as ray:
                connection = _checked(ray)
                if tell:
                    tell(connection.listening)
                yield connection
        finally:
            if directory:
                shutil.rmtree(directory, ignore_errors=True)


def _check_ray() -> None:
    found = version("ray")
    numbers = tuple(map(int, re.findall(r"\d+", found)[:2]))
    if numbers < LEAST_RAY:
        least = ".".join(map(str, LEAST_RAY))
        raise ClusterError(
            f"Ray {found} has known security holes; Exonym needs Ray {least} or newer. "
            f"On every machine: pip install 'ray>={least}'"
        )


@contextmanager
def _environment() -> Iterator[MutableMapping[str, str]]:
    """The environment of this process, as Ray reads it; what is changed in it is changed back."""
    environment = os.environ
    before = {name: value for name, value in environment.items() if name.startswith("RAY_")}
    for name, value in QUIET.items():
        environment.setdefault(name, value)
    environment["RAY_AUTH_MODE"] = "token"
    try:
        yield environment
    finally:
        for name in [name for name in environment if name.startswith("RAY_") and name not in before]:
            del environment[name]
        environment.update(before)


def _local_options(environment: MutableMapping[str, str], directory: Path, jobs: int) -> dict[str, Any]:
    # One token a process: Ray reads it once. It is in the environment of our own processes alone.
    environment.setdefault("RAY_AUTH_TOKEN", _own_token())
    _listen_on_loopback(environment)
    return {
        "address": "local",
        "num_cpus": processes.cores(jobs),
        "include_dashboard": False,
        "object_store_memory": _LOCAL_STORE_BYTES,
        "_temp_dir": str(directory),
    }


_tokens: list[str] = []


def _own_token() -> str:
    if not _tokens:
        _tokens.append(secrets.token_hex(32))
    return _tokens[0]


def _listen_on_loopback(environment: MutableMapping[str, str]) -> None:
    """Make Ray take 127.0.0.1 for this machine's address, and listen there alone; must come before `import ray`.

    Ray has this for Windows and macOS. `--node-ip-address 127.0.0.1` does not do: Ray replaces it by another address.
    """
    environment["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"


def _short_directory() -> Path:
    place = tempfile.gettempdir()
    return Path(tempfile.mkdtemp(prefix="exonym-", dir=place if len(os.fsencode(place)) < _LONGEST_PLACE else "/tmp"))


def _found(address: str) -> str:
    """HOST:PORT of an address; `auto` is the cluster in RAY_ADDRESS, or the last one started on this machine."""
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS", "")
        if address in ("", "auto"):
            place = os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp"
            with suppress(OSError):
                address = (Path(place) / "ray" / "ray_current_cluster").read_text(encoding="utf-8").strip()
        if address in ("", "auto"):
            raise ClusterError(
                "No Ray cluster runs on this machine. Start one (`ray start --head`), name it (--address HOST:PORT), "
                "or leave --address out to use this machine alone."
            )
    host, _, port = address.rpartition(":")
    if not re.fullmatch(r"[0-9]{1,5}", port) or not re.fullmatch(r"[\w.-]+|\[[0-9a-fA-F:.]+\]", host):
        raise ClusterError(f"--address must be auto or HOST:PORT, as in 10.0.0.5:6379, got {address[:60]!r}.")
    return address


def _is_loopback(address: str) -> bool:
    host = address.rpartition(":")[0]
    return host.startswith("127.") or host in ("localhost", "[::1]")


def _require_token() -> None:
    token = os.environ.get("RAY_AUTH_TOKEN", "").strip()
    named = os.environ.get("RAY_AUTH_TOKEN_PATH", "")
    path = Path(named) if named else Path.home() / ".ray" / "auth_token"
    if not token:
        try:
            token = path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            if named:
                raise ClusterError(f"RAY_AUTH_TOKEN_PATH: {path} cannot be read: {error}.") from None
    if not token:
        raise ClusterError(
            "A cluster is used only with Ray's token authentication, and there is no token. Put the token that the "
            "cluster was started with into ~/.ray/auth_token, RAY_AUTH_TOKEN_PATH or RAY_AUTH_TOKEN."
        )


@contextmanager
def _ray(options: dict[str, Any], where: str) -> Iterator[Any]:
    """Ray, connected; exceptions of connecting are translated."""
    import ray

    try:
        ray.init(log_to_driver=False, logging_level=logging.CRITICAL, **options)
    except (ConnectionError, RuntimeError, ValueError, OSError, ray.exceptions.RayError) as error:
        ray.shutdown()
        text = " ".join(f"{error} {error.__cause__ or ''}".split())
        raise ClusterError(f"Ray cannot be started or reached at {where}: {text[:300]}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _checked(ray: Any) -> RayConnection:
    """The connection, if all nodes are as this process is."""
    nodes = sorted((node for node in ray.nodes() if node["Alive"]), key=lambda node: str(node["NodeManagerAddress"]))
    if not nodes:
        raise ClusterError("No node of the cluster is alive. Start one: ray start --head, ray start --address …")
    for node, facts in zip(nodes, _facts_of(ray, nodes), strict=True):
        where = f"The node {node['NodeManagerAddress']}"
        if facts["exonym"] != __version__:
            has = f"Exonym {facts['exonym']}" if facts["exonym"] else "no Exonym"
            raise ClusterError(f"{where} has {has}, this machine has {__version__}. Install {__version__} there.")
        if facts["python"] != list(sys.version_info[:2]):
            theirs, ours = (".".join(map(str, numbers)) for numbers in (facts["python"], sys.version_info[:2]))
            raise ClusterError(f"{where} has Python {theirs}, this machine has {ours}. Both must be the same.")
        if not facts["has_token"]:
            raise ClusterError(
                f"{where} was started without token authentication: anybody who reaches it can run any program. "
                "Start it again with RAY_AUTH_MODE=token."
            )
    addresses = list(dict.fromkeys(str(node["NodeManagerAddress"]) for node in nodes))
    everywhere = [address for address in addresses if not _is_loopback(f"{address}:0")]
    listening = "Ray listens on 127.0.0.1 only, and asks for a token."
    if everywhere:
        named = ", ".join(everywhere[:5]) + (f" and {len(everywhere) - 5:,} more" if len(everywhere) > 5 else "")
        listening = (
            f"Ray listens on all network interfaces of {named}, and asks for a token; nothing is encrypted. Keep its "
            "ports closed to others."
        )
    cores = sum(int(node["Resources"].get("CPU", 0)) for node in nodes)
    address = str(ray.get_runtime_context().gcs_address)
    memory = max(int(node["Resources"].get("memory", 0)) for node in nodes)
    return RayConnection(address, tuple(str(node["NodeID"]) for node in nodes), cores, memory, listening)


def _facts_of(ray: Any, nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    # Inside a function, so that its code is sent, not its name: the other side may not have this module.
    def facts() -> dict[str, Any]:
        import sys

        from ray._raylet import AuthenticationMode, get_authentication_mode  # type: ignore[attr-defined]  # compiled

        try:
            from exonym.version import __version__ as found
        except ImportError:
            found = ""
        has_token = get_authentication_mode() == AuthenticationMode.TOKEN
        return {"exonym": found, "python": list(sys.version_info[:2]), "has_token": has_token}

    task = ray.remote(num_cpus=0, max_retries=1)(facts)
    refs = [
        task.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False)).remote()
        for node in nodes
    ]
    found = []
    for node, ref in zip(nodes, refs, strict=True):
        try:
            found.append(ray.get(ref, timeout=_NODE_SECONDS))
        except ray.exceptions.RayError as error:
            reason = type(error).__name__
            raise ClusterError(
                f"The node {node['NodeManagerAddress']} starts no processes ({reason}). Look at it, or stop it."
            ) from None
    return found
