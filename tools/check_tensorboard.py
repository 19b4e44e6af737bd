#!/usr/bin/env python3
"""Read a run directory with TensorBoard's own reader and print its scalars.

Usage: check_tensorboard.py RUN_DIRECTORY

Needs `pip install tensorboard`. Fails if a file has a damaged record, if no scalar is found, or if
a scalar has a value that is not finite.
"""

import math
import pathlib
import sys

from tensorboard.backend.event_processing import event_accumulator
from tensorboard.backend.event_processing import event_file_loader


def event_files(directory):
    """The event files below a directory, in the order TensorBoard reads them."""
    return sorted(pathlib.Path(directory).rglob("events.out.tfevents.*"))


def check_complete(path):
    """TensorBoard stops quietly at a damaged record, so compare what it read with the size.

    The frame of a record adds a length and two checksums, 16 bytes in all.
    """
    loader = event_file_loader.RawEventFileLoader(str(path))
    read = sum(len(record) + 16 for record in loader.Load())
    size = path.stat().st_size
    if read != size:
        sys.exit(f"{path}: TensorBoard read {read} of {size} bytes")


def print_scalars(directory):
    """Print tag, number of points, last step and last value; return how many tags there are."""
    everything = {event_accumulator.SCALARS: 0}
    accumulator = event_accumulator.EventAccumulator(str(directory), size_guidance=everything)
    accumulator.Reload()
    tags = sorted(accumulator.Tags()["scalars"])
    for tag in tags:
        points = accumulator.Scalars(tag)
        if not all(math.isfinite(point.value) for point in points):
            sys.exit(f"{directory}: {tag} has a value that is not finite")
        last = points[-1]
        print(f"{tag}\t{len(points)} points\tstep {last.step}\tvalue {last.value:g}")
    return len(tags)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__.strip())
    files = event_files(sys.argv[1])
    for path in files:
        check_complete(path)
    found = sum(print_scalars(directory) for directory in sorted({path.parent for path in files}))
    if found == 0:
        sys.exit(f"{sys.argv[1]}: no scalars found")
    print(f"{found} scalars in {len(files)} event files")


if __name__ == "__main__":
    main()
