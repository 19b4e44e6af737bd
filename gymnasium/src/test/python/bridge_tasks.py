"""Environments for the tests of the bridge; found from the working directory of the tests."""

import os
import signal
import sys
import time

import gymnasium
import numpy as np
from gymnasium import spaces


class Counting(gymnasium.Env):
    """Shows the seed and the time; the reward is the action. Ends by itself at 3, is stopped at 4 with an even seed."""

    observation_space = spaces.Box(-np.inf, np.inf, (2,), dtype=np.float64)
    action_space = spaces.Discrete(5, start=10)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seed = 0 if seed is None else seed
        self.time = 0
        return self._observation(), {}

    def step(self, action):
        self.time += 1
        odd = self.seed % 2 == 1
        return self._observation(), float(action), odd and self.time == 3, not odd and self.time == 4, {}

    def _observation(self):
        return np.array([self.seed, self.time], dtype=np.float64)


class Mixed(gymnasium.Env):
    """Parts of several kinds; masks the choice of the action before."""

    observation_space = spaces.Dict(
        {"place": spaces.Box(-1, 1, (2,)), "gear": spaces.Discrete(3), "inner": spaces.Tuple([spaces.MultiBinary(2)])}
    )
    action_space = spaces.Tuple([spaces.Discrete(3), spaces.Box(-2, 2, (2,)), spaces.MultiDiscrete([2, 4])])

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self._observation((0, (0.5, -0.5), (0, 0))), self._info(None)

    def step(self, action):
        return self._observation(action), 1.0, False, False, self._info(int(action[0]))

    def _observation(self, action):
        place = np.array(action[1], dtype=np.float32) / 2
        return {"place": place, "gear": int(action[0]), "inner": (np.array(action[2], dtype=np.int8) > 0,)}

    def _info(self, forbidden):
        first = np.ones(3, dtype=np.int8)
        if forbidden is not None:
            first[forbidden] = 0
        return {"action_mask": (first, (np.ones(2, dtype=np.int8), np.array([1, 1, 0, 1], dtype=np.int8)))}


class Failing(Counting):
    """Fails in the way that its option names, at the second step, or only with the given seed."""

    def __init__(self, how, only=None):
        self.how = how
        self.only = only

    def step(self, action):
        if self.time == 1 and self.only in (None, self.seed):
            self._fail()
        return super().step(action)

    def _fail(self):
        if self.how == "raise":
            raise RuntimeError("the rope tore")
        if self.how == "exit":
            print("about to leave")
            sys.stdout.flush()
            os._exit(7)
        if self.how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "hang":
            print("I shall be a while", file=sys.stderr)
            time.sleep(3600)
        if self.how == "print":
            for line in range(20_000):
                print("line", line, "of much output that nobody reads")

    def _observation(self):
        observation = super()._observation()
        if self.how == "nan" and self.time == 2:
            observation[1] = np.nan
        return observation


class Unbounded(Counting):
    action_space = spaces.Box(-np.inf, np.inf, (1,))


for task in (Counting, Mixed, Failing, Unbounded):
    gymnasium.register(f"{task.__name__}-v0", task)
