#!/usr/bin/env bash
# Makes a virtual environment with the peers; about 6 GB, since torch from PyPI brings its CUDA libraries along.
#   bench/peers/setup.sh DIRECTORY
set -euo pipefail
directory="${1:?usage: setup.sh DIRECTORY}"
python3 -m venv "$directory"
"$directory/bin/pip" install --quiet --upgrade pip
"$directory/bin/pip" install --quiet torch sb3-contrib skrl
# Two tasks of Gymnasium; mujoco 4.0.0 has no library for Python 3.11.
"$directory/bin/pip" install --quiet "gymnasium[box2d,mujoco]" mujoco==3.9.0
"$directory/bin/pip" list --format=freeze | grep -E '^(torch|stable|sb3|skrl|gymnasium|numpy|box2d|mujoco)' >&2
