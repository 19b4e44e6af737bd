#!/usr/bin/env python3
"""Check an exported model with onnx and onnxruntime, and compare it with what the Java agent computed.

Usage: check_onnx.py MODEL ROWS

MODEL and ROWS are files of `quantail export RUN --onnx MODEL --rows ROWS`. Needs `pip install numpy onnx onnxruntime`.
Fails if the model is not valid, if its metadata are not those of the rows, or if a number differs by more than 1e-5,
relative to the largest number about the action or about the return, at least 1.
"""

import sys

import numpy
import onnx
import onnxruntime

from reference_rows import compare, read


class Episode:
    """A model with the recurrent state of one episode."""

    def __init__(self, path):
        self.session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        self.inputs = {value.name: value for value in self.session.get_inputs()}
        self.outputs = [value.name for value in self.session.get_outputs()]
        self.start()

    def start(self):
        states = [name for name in ("hidden_in", "cell_in") if name in self.inputs]
        self.state = {name: numpy.zeros(self.shape(name), numpy.float32) for name in states}

    def shape(self, name):
        return [1 if size == "batch" else size for size in self.inputs[name].shape]

    def step(self, row):
        if row["start"]:
            self.start()
        feed = {"observation": numpy.array([row["observation"]], numpy.float32), **self.state}
        if "mask" in self.inputs:
            feed["mask"] = numpy.array([row["mask"]])
        found = dict(zip(self.outputs, self.session.run(None, feed)))
        self.state = {name: found.pop(name.replace("_in", "_out")) for name in self.state}
        return {name: value.ravel() for name, value in found.items()}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    path = sys.argv[1]
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    metadata, rows = read(sys.argv[2])
    found = {entry.key: entry.value for entry in model.metadata_props}
    if found != metadata:
        sys.exit(f"{path}: the metadata are {found}, those of the rows {metadata}")
    print(f"{path}: onnxruntime agrees with the agent, {compare(Episode(path).step, rows)}")


if __name__ == "__main__":
    main()
