#!/usr/bin/env python3
"""Compare the numpy program of docs/reference/model.md with what the Java agent computed.

Usage: check_model.py RUN_DIRECTORY ROWS

ROWS is a file of `quantail export RUN_DIRECTORY --rows ROWS`. Needs `pip install numpy safetensors pyyaml`.
Fails if a number differs by more than 1e-5, relative to the largest number about the action or about the return, at least
1.
"""

import pathlib
import re
import sys

from reference_rows import compare, read

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "reference" / "model.md"


def program():
    """The names that the program on the page defines."""
    code = re.search(r"^<!-- model\.py -->\n```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    if code is None:
        sys.exit(f"{PAGE}: no program found")
    names = {}
    exec(compile(code[1], str(PAGE), "exec"), names)
    return names


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.strip())
    model = program()["Model"](sys.argv[1])

    def step(row):
        if row["start"]:
            model.start()
        return model.step(row["observation"], row.get("mask"))

    print(f"{sys.argv[1]}: numpy agrees with the agent, {compare(step, read(sys.argv[2])[1])}")


if __name__ == "__main__":
    main()
