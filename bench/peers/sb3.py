"""Times RecurrentPPO of sb3-contrib: sb3.py WORKLOAD THREADS SECONDS."""

import sys
import time

import torch
from sb3_contrib import RecurrentPPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from timing import report
from workloads import HEAD_UNITS, WORKLOADS


class Clock(BaseCallback):
    """Leaves the first cycle of rollout and update out, then ends after whole cycles."""

    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds
        self.cycles = 0
        self.start = None

    def _on_rollout_start(self):
        self.cycles += 1
        now = (time.perf_counter(), time.process_time(), self.num_timesteps)
        if self.cycles == 2:
            self.start = now
        self.now = now

    def _on_step(self):
        return self.cycles < 3 or self.now[0] - self.start[0] < self.seconds


def main(workload, threads, seconds):
    make, count, steps, batch, epochs, hidden, shared = WORKLOADS[workload]
    torch.set_num_threads(threads)
    environments = DummyVecEnv([make] * count)
    policy = dict(
        lstm_hidden_size=hidden,
        net_arch=[HEAD_UNITS],
        shared_lstm=shared,
        enable_critic_lstm=not shared,
    )
    model = RecurrentPPO(
        "MlpLstmPolicy",
        environments,
        n_steps=steps,
        batch_size=batch,
        n_epochs=epochs,
        policy_kwargs=policy,
        device="cpu",
        seed=1,
    )
    clock = Clock(seconds)
    model.learn(10**9, callback=clock)
    wall, cpu, done = (b - a for a, b in zip(clock.start, clock.now))
    report("sb3-contrib", workload, threads, done, wall, cpu)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
