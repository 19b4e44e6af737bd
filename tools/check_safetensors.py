#!/usr/bin/env python3
"""Read a run's newest snapshot with the safetensors package and print its tensors.

Usage: check_safetensors.py RUN_DIRECTORY

Needs `pip install safetensors numpy`. Fails if the snapshot cannot be read, if its hash differs from
its manifest, or if it holds no parameters or a parameter that is not finite.
"""

import hashlib
import json
import pathlib
import sys

import numpy
from safetensors.numpy import load_file


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    snapshots = sorted(pathlib.Path(sys.argv[1]).glob("snapshots/update-*"))
    if not snapshots:
        sys.exit(f"{sys.argv[1]}: no snapshot found")
    state = snapshots[-1] / "state.safetensors"
    manifest = json.loads((snapshots[-1] / "manifest.json").read_text(encoding="utf-8"))
    digest = hashlib.sha256(state.read_bytes()).hexdigest()
    if digest not in json.dumps(manifest):
        sys.exit(f"{state}: its hash differs from its manifest")
    tensors = load_file(state)
    for name, tensor in sorted(tensors.items()):
        print(f"{name}\t{tensor.dtype}\t{list(tensor.shape)}")
    parameters = [name for name in tensors if "parameters" in name]
    if not parameters:
        sys.exit(f"{state}: no parameters found")
    if not all(numpy.isfinite(tensors[name]).all() for name in parameters):
        sys.exit(f"{state}: a parameter is not finite")
    print(f"{len(tensors)} tensors, {sum(t.size for t in tensors.values())} numbers")


if __name__ == "__main__":
    main()
