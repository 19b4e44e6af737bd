"""How the peers are timed and what they print."""

import json
import time


def time_cycles(training, seconds):
    """Leaves the first cycle of rollout and update out, then does whole ones: steps, elapsed and processor time."""
    training.cycle()
    wall, cpu, cycles = time.perf_counter(), time.process_time(), 0
    while cycles == 0 or time.perf_counter() - wall < seconds:
        training.cycle()
        cycles += 1
    return cycles * training.steps * training.count, time.perf_counter() - wall, time.process_time() - cpu


def report(peer, workload, threads, steps, wall, cpu):
    """The line that compare.py reads."""
    measured = dict(stepsPerSecond=steps / wall, stepsPerCpuSecond=steps / cpu, seconds=wall)
    print(json.dumps(dict(peer=peer, workload=workload, threads=threads, **measured)))
