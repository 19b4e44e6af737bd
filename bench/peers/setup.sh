#!/usr/bin/env bash
# Makes a virtual environment with peers: those on torch (about 6 GB, since torch from PyPI brings its CUDA libraries
# along), those on JAX (0.4 GB), or both.
#   bench/peers/setup.sh DIRECTORY [torch] [jax]
set -euo pipefail
directory="${1:?usage: setup.sh DIRECTORY [torch] [jax]}"
shift
python3 -m venv "$directory"
"$directory/bin/pip" install --quiet --upgrade pip
for group in "${@:-torch}"; do
  case "$group" in
    torch)
      "$directory/bin/pip" install --quiet torch sb3-contrib skrl
      # Two tasks of Gymnasium; mujoco 4.0.0 has no library for Python 3.11.
      "$directory/bin/pip" install --quiet "gymnasium[box2d,mujoco]" mujoco==3.9.0
      ;;
    jax) "$directory/bin/pip" install --quiet jax numpy ;;
    *)
      echo "setup.sh: unknown group $group; known: torch, jax" >&2
      exit 1
      ;;
  esac
done
"$directory/bin/pip" list --format=freeze | grep -E '^(torch|stable|sb3|skrl|gymnasium|numpy|box2d|mujoco|jax)' >&2
