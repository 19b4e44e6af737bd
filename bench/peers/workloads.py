"""The workloads of `quantail bench`, for the peers."""

import math
import os

import gymnasium
import numpy

FEATURES = 64
EPISODE = 256
COST = 0.001
HEAD_UNITS = int(os.environ.get("HEAD_UNITS", 64))  # of the layer between memory and outputs


class SyntheticMarket(gymnasium.Env):
    """The twin of io.quantail.app.bench.BenchmarkMarket: triangular waves, one position."""

    observation_space = gymnasium.spaces.Box(-10, 10, (FEATURES,), numpy.float32)
    action_space = gymnasium.spaces.Box(-1, 1, (1,), numpy.float32)
    periods = 0.01 * numpy.arange(1, FEATURES)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.phase = self.np_random.uniform(0, 1000)
        self.time = 0
        self.position = 0.0
        return self._observation(), {}

    def step(self, action):
        position = min(1.0, max(-1.0, float(action[0])))
        change = self._wave(1) + 0.5 * self._wave(2) + 0.5 * self._wave(3)
        reward = position * change - COST * abs(position - self.position)
        self.position = position
        self.time += 1
        return self._observation(), reward, False, self.time == EPISODE, {}

    def _wave(self, feature):
        place = (self.phase + self.time) * 0.01 * feature
        return 4 * abs(place - math.floor(place) - 0.5) - 1

    def _observation(self):
        place = (self.phase + self.time) * self.periods
        observation = numpy.empty(FEATURES, numpy.float32)
        observation[:-1] = 4 * numpy.abs(place - numpy.floor(place) - 0.5) - 1
        observation[-1] = self.position
        return observation


def cart_pole():
    return gymnasium.make("CartPole-v1")


# name: (environment, environments, steps, batch, epochs, hidden, shared memory)
WORKLOADS = {
    "cartpole-lstm": (cart_pole, 8, 128, 256, 10, 64, False),
    "trading-64": (SyntheticMarket, 16, 128, 512, 4, 64, True),
    "trading-128": (SyntheticMarket, 16, 128, 512, 4, 128, True),
    "wide": (SyntheticMarket, 256, 128, 512, 4, 64, True),
    "deep": (SyntheticMarket, 16, 128, 512, 4, 256, True),
}
