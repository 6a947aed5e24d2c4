"""What users may import from `exonym` is there, and costs nothing until it is used."""

import subprocess
import sys

import pytest

import exonym


def test_every_public_name_can_be_imported() -> None:
    assert all(getattr(exonym, name) is not None for name in exonym.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'crwal'"):
        exonym.crwal  # noqa: B018


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import exonym, sys; print('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
