#!/usr/bin/env bash
# Makes a virtual environment with the peers; about 6 GB, since torch from PyPI brings its CUDA libraries along.
#   bench/peers/setup.sh DIRECTORY
set -euo pipefail
directory="${1:?usage: setup.sh DIRECTORY}"
python3 -m venv "$directory"
"$directory/bin/pip" install --quiet --upgrade pip
"$directory/bin/pip" install --quiet torch sb3-contrib skrl
"$directory/bin/pip" list --format=freeze | grep -E '^(torch|stable|sb3|skrl|gymnasium|numpy)' >&2
