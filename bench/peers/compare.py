#!/usr/bin/env python3
"""Runs Quantail and the peers in alternation and prints one table.

    bench/peers/setup.sh /somewhere/peers
    bench/peers/compare.py --python /somewhere/peers/bin/python --repetitions 5 cartpole-lstm trading-64

Every peer is first tried with one thread and with two, three times in alternation, and then runs with
what was faster at its best. All figures of a table come from one run of this script; other load on the
machine hits all of them, and the processor time in the second half of the table leaves it out.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TRIALS = 3  # other load on the machine comes and goes
PEERS = {"sb3-contrib": "sb3.py", "single-file": "single_file.py", "skrl": "skrl_rnn.py"}


def run(command, environment=None):
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=HERE)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    line = done.stdout.strip().splitlines()[-1]
    print(line, file=sys.stderr, flush=True)  # so that nothing is lost when the rest is interrupted
    return json.loads(line)


def ours(workload, options):
    command = [ROOT / "quantail", "bench", workload, "--json", "--threads", str(options.threads)]
    command += ["--seconds", str(options.seconds), "--warmup", str(options.warmup)]
    return run(command + ["--set", f"network.headUnits={options.head_units}"])


def peer(options, name, workload, threads, seconds):
    settings = dict(OMP_NUM_THREADS=threads, MKL_NUM_THREADS=threads, HEAD_UNITS=options.head_units)
    environment = dict(os.environ, **{key: str(value) for key, value in settings.items()})
    return run([options.python, HERE / PEERS[name], workload, str(threads), str(seconds)], environment)


def best_threads(options, name, workload):
    if len(options.peer_threads) == 1:
        return options.peer_threads[0]
    rates = dict.fromkeys(options.peer_threads, 0)
    for _ in range(TRIALS):
        for n in options.peer_threads:
            rates[n] = max(rates[n], peer(options, name, workload, n, 1)["stepsPerSecond"])
    return max(rates, key=rates.get)


def spread(values):
    return f"{statistics.median(values):8.0f}  ({min(values):.0f} to {max(values):.0f})"


def table(workload, results):
    print(f"\n{workload}")
    for field, title in (("stepsPerSecond", "steps/s"), ("stepsPerCpuSecond", "steps per CPU second")):
        print(f"  {title}")
        mine = [one[field] for one in results["quantail"]]
        for name, rows in results.items():
            theirs = [one[field] for one in rows]
            ratios = [a / b for a, b in zip(mine, theirs)]
            ratio = "" if name == "quantail" else f"ours is {statistics.median(ratios):.1f} times as fast ({min(ratios):.1f} to {max(ratios):.1f})"
            print(f"    {name:12} {rows[0]['threads']} threads {spread(theirs):32} {ratio}")
    shares = [one["peakShare"] for one in results["quantail"]]
    print(f"  update at {100 * statistics.median(shares):.0f} % of what the product kernel reaches on its cores")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workloads", nargs="+")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--peers", nargs="+", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--warmup", type=float, default=10)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--head-units", type=int, default=64)
    parser.add_argument("--peer-threads", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    for workload in options.workloads:
        results = {name: [] for name in ["quantail", *options.peers]}
        threads = {name: best_threads(options, name, workload) for name in options.peers}
        for _ in range(options.repetitions):
            results["quantail"].append(ours(workload, options))
            for name in options.peers:
                results[name].append(peer(options, name, workload, threads[name], options.seconds))
        table(workload, results)


if __name__ == "__main__":
    main()
