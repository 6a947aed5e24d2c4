"""The files in deploy/ are what their programs take, and closed to others. No cluster is needed to see it.

No package carries KubeRay's schema, so tests/data has one of our own, of what is used here. Ray's is in Ray.
"""

import copy
import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from exonym.config import load

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SCHEMA = yaml.safe_load((ROOT / "tests/data/kuberay-schema.yaml").read_text(encoding="utf-8"))
POINTS = ("head", "worker")


def manifests() -> dict[str, Any]:
    """The documents of kuberay.yaml by kind."""
    documents = yaml.safe_load_all((DEPLOY / "kuberay.yaml").read_text(encoding="utf-8"))
    return {document["kind"]: document for document in documents}


def groups() -> list[dict[str, Any]]:
    """The pods of the cluster: head first."""
    spec = manifests()["RayCluster"]["spec"]
    return [spec["headGroupSpec"], *spec["workerGroupSpecs"]]


def container_of(group: dict[str, Any]) -> dict[str, Any]:
    (container,) = group["template"]["spec"]["containers"]
    return dict(container)


def machines() -> dict[str, Any]:
    return dict(yaml.safe_load((DEPLOY / "cluster.yaml").read_text(encoding="utf-8")))


def pinned_ray() -> str:
    found = re.search(r"^ray==(\S+)$", (ROOT / "requirements.lock").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("kind", ["ConfigMap", "PersistentVolumeClaim", "NetworkPolicy", "RayCluster"])
def test_manifest_is_as_the_schema_says(kind: str) -> None:
    jsonschema.validate(manifests()[kind], SCHEMA)


def test_schema_refuses_what_the_operator_would() -> None:
    good = manifests()["RayCluster"]
    for break_it in (
        lambda spec: spec["headGroupSpec"]["rayStartParams"].update({"num-cpus": 0}),  # Kubernetes wants text
        lambda spec: spec["authOptions"].update(mode="on"),
        lambda spec: spec.pop("headGroupSpec"),
        lambda spec: spec["workerGroupSpecs"][0].update(replicas="4"),
        lambda spec: spec.update(workerGroups=[]),
    ):
        bad = copy.deepcopy(good)
        break_it(bad["spec"])
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, SCHEMA)


def test_pods_ask_for_a_token_and_have_no_dashboard() -> None:
    spec = manifests()["RayCluster"]["spec"]
    assert spec["authOptions"]["mode"] == "token"
    assert spec["headGroupSpec"]["rayStartParams"]["include-dashboard"] == "false"
    assert [port["containerPort"] for port in container_of(groups()[0])["ports"]] == [6379]


def test_only_pods_of_the_cluster_reach_its_ports() -> None:
    policy, cluster = manifests()["NetworkPolicy"]["spec"], manifests()["RayCluster"]["metadata"]["name"]
    members = {"matchLabels": {"ray.io/cluster": cluster}}  # the operator gives this label to all pods of a cluster
    assert policy["podSelector"] == members
    assert policy["policyTypes"] == ["Ingress"]  # the web is open
    assert policy["ingress"] == [{"from": [{"podSelector": members}]}]


def test_all_pods_see_the_same_crawl_directory() -> None:
    claim = manifests()["PersistentVolumeClaim"]
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"]
    for group in groups():
        volumes = {volume["name"]: volume for volume in group["template"]["spec"]["volumes"]}
        places = {mount["mountPath"]: volumes[mount["name"]] for mount in container_of(group)["volumeMounts"]}
        assert places["/crawl"]["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
        assert places["/config"]["configMap"]["name"] == manifests()["ConfigMap"]["metadata"]["name"]


def test_head_runs_the_crawl_with_as_many_workers_as_there_are_pods() -> None:
    head, workers = groups()
    assert manifests()["RayCluster"]["metadata"]["annotations"]["ray.io/overwrite-container-cmd"] == "true"
    assert workers["replicas"] == workers["minReplicas"] == workers["maxReplicas"]
    assert (
        f'exonym crawl /crawl/web --cluster --address "$POD_IP:6379" --workers {workers["replicas"]}'
        in (container_of(head)["args"][0])
    )
    for group in (head, workers):
        assert "$KUBERAY_GEN_RAY_START_CMD" in container_of(group)["args"][0]


def test_config_map_has_a_crawl_that_says_who_runs_it(tmp_path: Path) -> None:
    for name, text in manifests()["ConfigMap"]["data"].items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    settings = load(tmp_path / "crawl.toml")
    assert settings.politeness.operator
    assert (tmp_path / settings.seeds.file).is_file()


def test_all_have_the_ray_that_tests_run_with() -> None:
    image = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert manifests()["RayCluster"]["spec"]["rayVersion"] == pinned_ray()
    assert f"'ray=={pinned_ray()}'" in image
    assert f"'ray=={pinned_ray()}'" in machines()["setup_commands"][-1]


def test_ray_up_takes_the_file_for_plain_machines() -> None:
    ray = find_spec("ray")
    assert ray is not None
    assert ray.origin is not None
    schema = json.loads(Path(ray.origin).with_name("autoscaler").joinpath("ray-schema.json").read_text("utf-8"))
    jsonschema.validate(machines(), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(machines() | {"min_worker": 3}, schema)
    assert machines()["provider"]["type"] == "local"


def test_plain_machines_ask_for_a_token_and_have_fixed_ports_and_no_dashboard() -> None:
    assert machines()["file_mounts"] == {"~/.ray/auth_token": "~/.ray/auth_token"}
    head, worker = (machines()[f"{point}_start_ray_commands"][-1] for point in POINTS)
    assert "--include-dashboard=false" in head
    for command in (head, worker):
        assert "RAY_AUTH_MODE=token" in command
        ports = dict(re.findall(r"--([a-z-]+-port)=(\d+)", command))
        assert ports == {
            "node-manager-port": "6380",
            "object-manager-port": "6381",
            "runtime-env-agent-port": "6382",
            "min-worker-port": "10002",
            "max-worker-port": "10201",
        }
