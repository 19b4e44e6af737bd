#!/usr/bin/env python3
"""Draws the samples of a profiler as a flame graph.

    java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit ... &
    perf record -g -F 999 -p PID sleep 20          # and when the program has ended:
    perf script -F comm,ip,sym | bench/flame.py > flame.svg

Width is the share of samples, the callers are below. Only what runs inside Quantail is drawn; a method that was inlined is part of
its caller. (Flight Recorder would show it, but loses a third of the samples here, whole loops among them.)
"""

import html
import re
import sys

WIDTH, ROW, SMALLEST = 1200, 17, 0.004
COLOURS = {"simd": "#d9812e", "vector": "#d9812e", "kernel": "#e0a85a", "nn": "#d8c46a", "ppo": "#8fb573", "critic": "#8fb573"}


class Node:
    def __init__(self):
        self.count = 0
        self.children = {}


def name(line):
    """Class and method of a line such as '7f12 void io.quantail.simd.MatrixTiles.add(float[], int)'."""
    symbol = re.sub(r"\(.*", "", line.strip().split(" ", 1)[1])
    symbol = symbol.split(" ")[-1]
    return re.sub(r"\$\$Lambda.*", ".lambda", symbol)


def stacks(printed):
    for block in printed.split("\n\n"):
        frames = [name(line) for line in block.strip("\n").split("\n")[1:] if " " in line.strip()][::-1]
        first = next((i for i, frame in enumerate(frames) if re.search(r"quantail\.(ppo|rollout|train)\.", frame)), None)
        if first is not None:
            yield frames[first:]


def colour(frame):
    return next((c for part, c in COLOURS.items() if f".{part}." in frame), "#c9c9c9")


def draw(node, name, left, depth, total, boxes):
    width = WIDTH * node.count / total
    boxes.append((left, depth, width, name, node.count / total))
    for child in sorted(node.children):
        one = node.children[child]
        if one.count / total >= SMALLEST:
            draw(one, child, left, depth + 1, total, boxes)
        left += WIDTH * one.count / total


def main():
    root = Node()
    for frames in stacks(sys.stdin.read()):
        node = root
        node.count += 1
        for frame in frames:
            node = node.children.setdefault(frame, Node())
            node.count += 1
    boxes = []
    draw(root, "all", 0, 0, root.count, boxes)
    height = ROW * (max(box[1] for box in boxes) + 1)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" font-size="11">')
    for left, depth, width, name, share in boxes:
        top = height - ROW * (depth + 1)
        short = ".".join(name.split(".")[-2:])
        label = short if len(short) * 6.2 < width else short.split(".")[-1] if len(short.split(".")[-1]) * 6.2 < width else ""
        print(f'<g><title>{html.escape(name)} {100 * share:.1f} %</title><rect x="{left:.1f}" y="{top}" width="{max(0.5, width - 0.5):.1f}" height="{ROW - 1}" fill="{colour(name)}"/>'
              f'<text x="{left + 3:.1f}" y="{top + 12}">{html.escape(label)}</text></g>')
    print("</svg>")


if __name__ == "__main__":
    main()
