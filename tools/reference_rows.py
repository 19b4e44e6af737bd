"""Files of reference rows (`quantail export RUN --rows FILE`), and the comparison with them. Standard library only."""

import json
import sys

TOLERANCE = 1e-5


def read(path):
    """The metadata and the rows of a file."""
    with open(path, encoding="utf-8") as file:
        metadata, *rows = (json.loads(line) for line in file)
    if not rows:
        sys.exit(f"{path}: no rows found")
    return metadata, rows


def magnitude(outputs, group):
    """The largest number of the outputs about the action or about the return, at least 1."""
    return max(1.0, *(abs(v) for name in outputs if name.startswith(group) for v in outputs[name]))


def compare(step, rows):
    """Compares what `step` computes from each row with the row; returns a sentence about it."""
    largest, where = 0.0, ""
    numbers = 0
    for index, row in enumerate(rows):
        outputs = step(row)
        expected = {name: row[name] for name in row if name not in ("start", "observation", "mask")}
        if outputs.keys() != expected.keys():
            sys.exit(f"row {index}: outputs {sorted(outputs)}, expected {sorted(expected)}")
        for name, values in expected.items():
            size = magnitude(expected, name.split("_")[0])
            found = [float(value) for value in outputs[name]]
            if len(found) != len(values):
                sys.exit(f"row {index}: {name} has {len(found)} numbers, expected {len(values)}")
            for k, (value, other) in enumerate(zip(values, found)):
                difference = abs(other - value) / size
                numbers += 1
                if not difference <= TOLERANCE:
                    sys.exit(f"row {index}: {name}[{k}] is {other}, expected {value}")
                if difference > largest:
                    largest, where = difference, f" ({name} of row {index})"
    episodes = sum(row["start"] for row in rows)
    return f"{len(rows)} steps of {episodes} episodes, {numbers} numbers, largest difference {largest:.1e}{where}"
