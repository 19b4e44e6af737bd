"""How the peers are timed and what they print."""

import json
import time

WARM_UP = 1.0


def time_cycles(training, seconds):
    """Steps, elapsed and processor time of whole cycles of rollout and update, after a warm-up.

    The first cycle, in which JAX compiles, and those of the second after it are left out.
    """
    training.cycle()
    warm = time.perf_counter() + WARM_UP
    while time.perf_counter() < warm:
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
