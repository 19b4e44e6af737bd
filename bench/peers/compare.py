#!/usr/bin/env python3
"""Runs Quantail and the peers in alternation and prints one table.

    bench/peers/setup.sh /somewhere/peers torch jax
    bench/peers/compare.py cartpole-lstm trading-64 --python /somewhere/peers/bin/python --repetitions 5

Every peer is first tried with one thread and with two, three times in alternation, and then runs with
what was faster at its best. Warm-up is left out on both sides. All figures of a table come from one run of
this script; other load on the machine hits all of them, and the processor time in the second half of the
table leaves it out. `cores` is the processor time that a run got in a second: less than its threads where
others used the machine.

The peer `jax` computes the loss of Quantail (jax_check.py), `jax-scalar` trains one critic with one output,
as the others do.
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
PEERS = {
    "jax": ["jax_ppo.py", "same"],
    "jax-scalar": ["jax_ppo.py", "scalar"],
    "sb3-contrib": ["sb3.py"],
    "single-file": ["single_file.py"],
    "skrl": ["skrl_rnn.py"],
}
JAX_WORKLOADS = ["trading-64", "trading-128", "memoryless-64", "memoryless-128"]


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
    if options.head_units != 64:
        command += ["--set", f"network.headUnits={options.head_units}"]
    for setting in options.set:
        command += ["--set", setting]
    return run(command)


def fits(name, workload):
    """The JAX peers have the market workloads, the others those with memory."""
    return workload in JAX_WORKLOADS if name.startswith("jax") else not workload.startswith("memoryless")


def peer(options, name, workload, threads, seconds):
    settings = dict(OMP_NUM_THREADS=threads, MKL_NUM_THREADS=threads, HEAD_UNITS=options.head_units)
    environment = dict(os.environ, **{key: str(value) for key, value in settings.items()})
    script, *arguments = PEERS[name]
    python = options.jax_python or options.python if name.startswith("jax") else options.python
    return run([python, HERE / script, workload, str(threads), str(seconds), *arguments], environment)


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


def table(workload, results, loads):
    print(f"\n{workload}, load of the machine {min(loads):.1f} to {max(loads):.1f} on {os.cpu_count()} cores")
    for field, title in (("stepsPerSecond", "steps/s"), ("stepsPerCpuSecond", "steps per CPU second")):
        print(f"  {title}")
        mine = [one[field] for one in results["quantail"]]
        for name, rows in results.items():
            theirs = [one[field] for one in rows]
            ratios = [a / b for a, b in zip(mine, theirs)]
            ratio = "" if name == "quantail" else f"ours is {statistics.median(ratios):.2f} times as fast ({min(ratios):.2f} to {max(ratios):.2f})"
            cores = statistics.median(one["stepsPerSecond"] / one["stepsPerCpuSecond"] for one in rows)
            print(f"    {name:12} {rows[0]['threads']} threads, {cores:.2f} cores {spread(theirs):32} {ratio}")
    shares = [one["peakShare"] for one in results["quantail"]]
    print(f"  update at {100 * statistics.median(shares):.0f} % of what the product kernel reaches on its cores")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("workloads", nargs="+")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--jax-python", help="Python of the JAX peers; default: that of all")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting of ours")
    parser.add_argument("--peers", nargs="+", default=list(PEERS), choices=list(PEERS))
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--warmup", type=float, default=10)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--head-units", type=int, default=64)
    parser.add_argument("--peer-threads", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    for workload in options.workloads:
        peers = [name for name in options.peers if fits(name, workload)]
        results = {name: [] for name in ["quantail", *peers]}
        threads = {name: best_threads(options, name, workload) for name in peers}
        loads = []
        for _ in range(options.repetitions):
            results["quantail"].append(ours(workload, options))
            loads.append(os.getloadavg()[0])
            for name in peers:
                results[name].append(peer(options, name, workload, threads[name], options.seconds))
                loads.append(os.getloadavg()[0])
        table(workload, results, loads)


if __name__ == "__main__":
    main()
