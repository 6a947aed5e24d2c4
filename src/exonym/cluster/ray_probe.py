"""Asks, in a process of its own, whether a cluster answers at an address, to whom, and what it is.

Where nothing answers, the token is wrong, or no node is alive, Ray itself waits for a minute or more, prints a line
each second, and is deaf to Ctrl-C. The process ends after ten seconds of this.
"""

import platform
import signal
import socket
import subprocess
import sys
from importlib.metadata import version

import msgspec

from exonym.errors import ClusterError

_ANSWER_SECONDS = 10
_CALL_SECONDS = 5  # for each of the two questions


class ClusterAnswer(msgspec.Struct, frozen=True):
    """What a cluster says of itself."""

    alive: tuple[str, ...]  # addresses of its nodes
    ray: str  # versions
    python: str


def probe(address: str, seconds: int = _ANSWER_SECONDS) -> None:
    """Refuse if no cluster answers at an address, not to our token, or one that this process does not fit."""
    host, _, port = address.rpartition(":")
    nothing = f"No Ray cluster answers at {address}. Is it started (`ray start --head`), and is the port open?"
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=seconds).close()
    except OSError as error:
        raise ClusterError(f"{nothing} ({error.strerror or error})") from None
    command = [sys.executable, "-m", "exonym.cluster.ray_probe", address, str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            assert process.stderr is not None
            is_refused = any(b"InvalidAuthToken" in line for line in process.stderr)
            answer = b"" if is_refused else process.stdout.read()
        finally:
            process.kill()
    if is_refused:
        raise ClusterError(
            f"The cluster at {address} refuses the token. Take the one that it was started with: RAY_AUTH_TOKEN, "
            "RAY_AUTH_TOKEN_PATH or ~/.ray/auth_token."
        )
    try:
        check_answer(msgspec.json.decode(answer, type=ClusterAnswer), address)
    except msgspec.DecodeError:
        raise ClusterError(nothing) from None


def check_answer(answer: ClusterAnswer, address: str) -> None:
    """Refuse a cluster of other versions, and one of which this machine is no node."""
    ours = version("ray"), platform.python_version()
    if (answer.ray, answer.python) != ours:
        raise ClusterError(
            f"The cluster at {address} has Ray {answer.ray} and Python {answer.python}, this machine has {ours[0]} and "
            f"{ours[1]}. Install the same on all machines."
        )
    if not answer.alive:
        raise ClusterError(f"No node of the cluster at {address} is alive. Start one: ray start --address {address}")
    if not any(map(_is_of_this_machine, answer.alive)):
        raise ClusterError(f"This machine is no node of the cluster. Make it one: ray start --address {address}")


def _is_of_this_machine(host: str) -> bool:
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as tried:
            tried.bind((host, 0))
    except OSError:
        return False
    return True


def main(address: str, seconds: int) -> None:
    """Print what a cluster answers; if it does not, Ray says why on stderr."""
    from ray._common.usage.usage_constants import CLUSTER_METADATA_KEY
    from ray._raylet import GcsClient  # type: ignore[attr-defined]  # compiled
    from ray.core.generated.gcs_pb2 import GcsNodeInfo  # type: ignore[attr-defined]  # made of its descriptor

    signal.alarm(seconds)  # from here on: on a busy machine, importing Ray takes as long
    client = GcsClient(address=address)
    nodes = client.get_all_node_info(timeout=_CALL_SECONDS).values()
    alive = tuple(node.node_manager_address for node in nodes if node.state == GcsNodeInfo.ALIVE)
    facts = client.internal_kv_get(CLUSTER_METADATA_KEY, namespace=b"cluster", timeout=_CALL_SECONDS)
    versions = msgspec.json.decode(facts, type=dict[str, msgspec.Raw])
    ray, python = (msgspec.json.decode(versions[name], type=str) for name in ("ray_version", "python_version"))
    print(msgspec.json.encode(ClusterAnswer(alive, ray, python)).decode())


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
