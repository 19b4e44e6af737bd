"""The tasks of tools/learning-suite that Gymnasium does not have, with the rules of io.quantail.env.tasks."""

import gymnasium
import numpy
from gymnasium.spaces import Box, Discrete

SUITS, COLOURS, RANKS = 4, 2, 13


def face(card, faces):
    """What a card shows; 13 ranks of four suits, whose colours alternate."""
    return card % 52 // SUITS if faces == RANKS else card % faces


class CardGame(gymnasium.Env):
    """Deals shuffled cards."""

    def __init__(self, cards, size, actions):
        self.cards = cards
        self.observation_space = Box(0, 1, (size,), numpy.float32)
        self.action_space = Discrete(actions)

    def shuffled(self, seed, faces):
        super().reset(seed=seed)
        return [face(card, faces) for card in self.np_random.permutation(self.cards)]

    def blank(self):
        return numpy.zeros(self.observation_space.shape, numpy.float32)


class RepeatPrevious(CardGame):
    """Name the suit shown lag steps ago."""

    def __init__(self, cards, lag):
        super().__init__(cards, SUITS, SUITS)
        self.lag = lag

    def reset(self, *, seed=None, options=None):
        self.suits = self.shuffled(seed, SUITS)
        self.dealt = 1
        return self.observation(), {}

    def step(self, action):
        reward = 0.0
        if self.dealt > self.lag:
            right = action == self.suits[self.dealt - 1 - self.lag]
            reward = (1 if right else -1) / (self.cards - 1 - self.lag)
        self.dealt += 1
        return self.observation(), reward, self.dealt == self.cards, False, {}

    def observation(self):
        observation = self.blank()
        observation[self.suits[self.dealt - 1]] = 1
        return observation


class Autoencode(CardGame):
    """Watch all cards, then name their suits in reverse order."""

    def __init__(self, cards):
        super().__init__(cards, 1 + SUITS, SUITS)

    def reset(self, *, seed=None, options=None):
        self.suits = self.shuffled(seed, SUITS)
        self.dealt, self.recited = 1, 0
        return self.observation(), {}

    def step(self, action):
        if self.dealt < self.cards:
            self.dealt += 1
            return self.observation(), 0.0, False, False, {}
        right = action == self.suits[self.cards - 1 - self.recited]
        self.recited += 1
        return self.observation(), (1 if right else -1) / self.cards, self.recited == self.cards, False, {}

    def observation(self):
        observation = self.blank()
        observation[0] = self.dealt == self.cards
        if self.recited == 0:
            observation[1 + self.suits[self.dealt - 1]] = 1
        return observation


class Concentration(CardGame):
    """Turn over pairs of equal cards; without a limit of steps, which is 2 * cards."""

    def __init__(self, cards, faces):
        super().__init__(cards, cards * faces, cards)
        self.faces = faces

    def reset(self, *, seed=None, options=None):
        self.values = self.shuffled(seed, self.faces)
        self.up, self.first = set(), None
        return self.blank(), {}

    def step(self, action):
        action = int(action)
        turned = [action] if self.first is None else [self.first, action]
        observation = self.blank()
        for card in self.up.union(turned):
            observation[card * self.faces + self.values[card]] = 1
        self.first, reward = None, 0.0
        if action in self.up:
            reward = -len(turned) / (2 * self.cards)
        elif len(turned) == 1:
            self.first = action
        elif turned[0] != action and self.values[turned[0]] == self.values[action]:
            self.up.update(turned)
            reward = 2 / self.cards
        else:
            reward = -1 / self.cards
        return observation, reward, len(self.up) == self.cards, False, {}


class Ladder(gymnasium.Env):
    """Rest for 1 a step, or climb 20 rungs for nothing and earn 3 a step at the top; never terminates."""

    RUNGS = 20
    observation_space = Box(0, 1, (1,), numpy.float32)
    action_space = Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.rung = int(self.np_random.integers(self.RUNGS))
        return self.observation(), {}

    def step(self, action):
        if action == 0:
            return self.observation(), 1.0, False, False, {}
        reward = 3.0 if self.rung == self.RUNGS else 0.0
        self.rung = min(self.RUNGS, self.rung + 1)
        return self.observation(), reward, False, False, {}

    def observation(self):
        return numpy.array([self.rung / self.RUNGS], numpy.float32)


class TailBandit(gymnasium.Env):
    """Two arms of equal mean: 0 or 0.2 equally likely; -0.85 with probability 0.05, else 0.15."""

    observation_space = Box(0, 1, (1,), numpy.float32)
    action_space = Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return numpy.ones(1, numpy.float32), {}

    def step(self, action):
        level = self.np_random.random()
        reward = (0.0 if level < 0.5 else 0.2) if action == 0 else (-0.85 if level < 0.05 else 0.15)
        return numpy.ones(1, numpy.float32), reward, True, False, {}


class Selected(gymnasium.ObservationWrapper):
    """Shows some components of the observation only."""

    def __init__(self, environment, components):
        super().__init__(environment)
        self.components = list(components)
        space = environment.observation_space
        self.observation_space = Box(space.low[self.components], space.high[self.components])

    def observation(self, observation):
        return observation[self.components]
