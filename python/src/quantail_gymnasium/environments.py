"""The environments of one ``gymnasium.make_vec``, stepped and reset into messages."""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from . import protocol
from .spaces import ActionRows, ObservationRows

MASK = "action_mask"


class Environments:
    """Several copies of an environment without automatic resets: Quantail starts their episodes."""

    def __init__(self, name, count, options):
        self.vector = gymnasium.make_vec(
            name,
            num_envs=count,
            vectorization_mode="sync",
            # The observations are copied into the message before the next step.
            vector_kwargs={"autoreset_mode": AutoresetMode.DISABLED, "copy": False},
            **options,
        )
        self.count = count
        self.observation_rows = ObservationRows(self.vector.single_observation_space)
        self.action_rows = ActionRows(self.vector.single_action_space)
        # The first episodes only show whether there are masks; every row is reset again before its first step.
        _, info = self.vector.reset(seed=0)
        self.masked = MASK in info
        self.mask_size = self.action_rows.mask_size if self.masked else 0
        self._allocate()

    def _allocate(self):
        count, size = self.count, self.observation_rows.size
        self.step_frame = protocol.frame(protocol.ROWS, count * (8 + 4 * size + 2 + self.mask_size))
        views = _Views(self.step_frame)
        self.rewards = views.take("<f8", count)
        self.observations = views.take("<f4", count * size).reshape(count, size)
        self.terminated = views.take("?", count)
        self.truncated = views.take("?", count)
        self.masks = views.take("?", count * self.mask_size).reshape(count, self.mask_size)

        self.reset_frame = protocol.frame(protocol.ROW, 4 * size + self.mask_size)
        views = _Views(self.reset_frame)
        self.first_observation = views.take("<f4", size).reshape(1, size)
        self.first_mask = views.take("?", self.mask_size)

    def describe(self):
        """What Quantail has to know, for JSON."""
        return {
            "gymnasium": gymnasium.__version__,
            "observation": self.observation_rows.parts,
            "action": self.action_rows.parts,
            "masks": self.masked,
        }

    def step(self, content):
        """Steps all environments; returns the message with the results."""
        rows = np.frombuffer(content, dtype="<f4").reshape(self.count, self.action_rows.size)
        observations, rewards, terminated, truncated, info = self.vector.step(self.action_rows.read(rows))
        self.rewards[:] = rewards
        self.terminated[:] = terminated
        self.truncated[:] = truncated
        self.observation_rows.write(observations, self.observations)
        if self.masked:
            for row in range(self.count):
                self._write_mask(info, row, self.masks[row])
        return self.step_frame

    def reset(self, row, seed):
        """Starts an episode in one environment; returns the message with its first observation."""
        chosen = np.zeros(self.count, dtype=np.bool_)
        chosen[row] = True
        seeds = [None] * self.count
        seeds[row] = seed
        observations, info = self.vector.reset(seed=seeds, options={"reset_mask": chosen})
        self.observation_rows.write_some(observations, slice(row, row + 1), self.first_observation)
        if self.masked:
            self._write_mask(info, row, self.first_mask)
        return self.reset_frame

    def _write_mask(self, info, row, target):
        """Writes the mask of one environment; without one everything is allowed."""
        present = info.get("_" + MASK)
        if present is None or not present[row]:
            target[:] = True
            return
        self.action_rows.write_mask(_row_of(info[MASK], row), target)

    def close(self):
        self.vector.close()


def _row_of(masks, row):
    """The mask of one environment in what Gymnasium made of all masks: an array of rows, or a dict of such."""
    if isinstance(masks, dict):
        return {key: _row_of(part, row) for key, part in masks.items() if not key.startswith("_")}
    return masks[row]


class _Views:
    """Arrays that share the memory of a message, one after the other."""

    def __init__(self, message):
        self.message = message
        self.position = protocol.HEADER.size

    def take(self, kind, count):
        view = np.frombuffer(self.message, dtype=kind, count=count, offset=self.position)
        self.position += view.nbytes
        return view
