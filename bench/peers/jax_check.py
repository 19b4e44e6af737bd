#!/usr/bin/env python3
"""Shows that jax_ppo.py computes Quantail's loss and gradient: jax_check.py WORKLOAD FILE [same|scalar].

FILE is written by io.quantail.bench.LossExport with the same workload. Exit code 1 if the loss differs by more
than 1e-4 of it, or the gradient by more than 1e-4 of its norm.
"""

import functools
import json
import pathlib
import struct
import sys

from jax_ppo import SHAPES, WINDOW, limit_threads, loss

import jax
import numpy

TOLERANCE = 1e-4


def read(path):
    """The arrays of a safetensors file."""
    data = pathlib.Path(path).read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    types = dict(F32=numpy.float32, F64=numpy.float64, I64=numpy.int64)
    arrays = {}
    for name, one in json.loads(data[8 : 8 + size]).items():
        begin, end = (8 + size + place for place in one["data_offsets"])
        arrays[name] = numpy.frombuffer(data[begin:end], types[one["dtype"]]).reshape(one["shape"])
    return arrays


def tree(arrays, memory, scalar):
    """Our parameters or gradient in the peer's layout."""
    heads = ["actor.head"] + (["critic.head1"] if scalar else [f"critic.{part}{i}" for i in (1, 2) for part in ("head", "mean")])
    result = dict(
        first=(arrays["shared.mlp.first.weight"].T, arrays["shared.mlp.first.bias"]),
        heads=tuple(numpy.concatenate([arrays[f"{head}.{part}"] for head in heads]) for part in ("weight", "bias")),
        sigma=arrays["actor.sigma"],
    )
    result["heads"] = (result["heads"][0].T, result["heads"][1])
    if memory:
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
        w, recurrent, bias, other = (arrays[f"shared.lstm.0.{name}"] for name in names)
        result["lstm"] = (w.T, recurrent.T, (bias, other))
    return result


def part(arrays, name):
    return {key[len(name) :]: value for key, value in arrays.items() if key.startswith(name)}


def main(workload, path, critic):
    limit_threads(1)
    shape = SHAPES[workload]
    memory, scalar = shape[6], critic == "scalar"
    arrays = read(path)
    separator = next(key for key in arrays if key.startswith("batch"))[5]
    batch = part(arrays, "batch" + separator)
    windows = len(batch["raw"]) // WINDOW
    time_major = lambda a: numpy.swapaxes(a.reshape(windows, WINDOW, *a.shape[1:]), 0, 1)
    peer = {name: time_major(batch[name]) for name in ("observations", "advantage", "target", "particles")}
    peer |= dict(raw=time_major(batch["raw"][:, 0]), logp=time_major(batch["logProbability"]))
    peer["kept"] = numpy.ones((WINDOW, windows), numpy.float32)
    parameters = tree(part(arrays, "parameters" + separator), memory, scalar)
    expected = tree(part(arrays, "gradient" + separator), memory, scalar)
    if memory:
        peer |= dict(hidden=batch["hidden"], cell=batch["cell"])
        w, recurrent, (bias, other) = parameters["lstm"]
        parameters["lstm"] = (w, recurrent, bias + other)  # ours has two, whose gradients are equal
        w, recurrent, (bias, other) = expected["lstm"]
        assert (bias == other).all()
        expected["lstm"] = (w, recurrent, bias)
    value, gradient = jax.jit(jax.value_and_grad(functools.partial(loss, scalar=scalar)))(parameters, peer)
    ours = float(arrays["loss"])
    difference = jax.tree.map(lambda a, b: numpy.asarray(a, float) - b, gradient, expected)
    size = lambda values: float(numpy.sqrt(sum((numpy.asarray(v, float) ** 2).sum() for v in jax.tree.leaves(values))))
    apart = abs(float(value) - ours) / abs(ours)
    print(f"{workload} {critic}: loss {float(value):.7f}, ours {ours:.7f}; gradient differs by {size(difference) / size(expected):.1e} of {size(expected):.5f}")
    for name, one in difference.items():
        print(f"  {name}: {size(one) / size(expected[name]):.1e} of {size(expected[name]):.5f}")
    sys.exit(0 if apart < TOLERANCE and size(difference) < TOLERANCE * size(expected) else 1)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "same")
