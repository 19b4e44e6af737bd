"""Spaces of Gymnasium as flat rows of numbers.

An observation becomes a row of float32 in named parts: a Box is flattened, a Discrete and each number of a
MultiDiscrete become one-hot, and the parts of a Dict or a Tuple follow one another in Gymnasium's order. An action is a
row with one number for each choice and for each number of a Box.
"""

import math

import numpy as np
from gymnasium import spaces


class UnsupportedSpace(Exception):
    """A space that cannot be expressed as a row of numbers; the text says which one and what to do."""


class ObservationRows:
    """Writes batches of observations of a space into rows.

    ``parts`` lists name, size and rawness of the parts; a raw part is not to be normalised.
    """

    def __init__(self, space):
        self.parts = []
        self._writers = []
        self.size = 0
        self._add(space, (), ())

    def _add(self, space, path, keys):
        if isinstance(space, spaces.Dict):
            for key, inner in space.spaces.items():
                self._add(inner, (*path, str(key)), (*keys, key))
        elif isinstance(space, spaces.Tuple):
            for index, inner in enumerate(space.spaces):
                self._add(inner, (*path, str(index)), (*keys, index))
        elif isinstance(space, spaces.Box):
            self._part(path, keys, math.prod(space.shape), False, _write_numbers)
        elif isinstance(space, spaces.MultiBinary):
            self._part(path, keys, math.prod(space.shape), True, _write_numbers)
        elif isinstance(space, spaces.Discrete):
            self._part(path, keys, int(space.n), True, _OneHot([int(space.start)], [int(space.n)]))
        elif isinstance(space, spaces.MultiDiscrete):
            counts = [int(n) for n in space.nvec.ravel()]
            starts = [int(start) for start in space.start.ravel()]
            self._part(path, keys, sum(counts), True, _OneHot(starts, counts))
        else:
            raise UnsupportedSpace(
                f"the observation space has a part {type(space).__name__}"
                f"{' named ' + '.'.join(path) if path else ''}, which is not a row of numbers; use a wrapper of Gymnasium"
                " that turns it into a Box"
            )

    def _part(self, path, keys, size, raw, writer):
        if size == 0:
            return
        self.parts.append({"name": ".".join(path), "size": size, "raw": raw})
        self._writers.append((keys, self.size, self.size + size, writer))
        self.size += size

    def write(self, observations, rows):
        """Writes a batch of observations into an array [environment, number]."""
        self.write_some(observations, slice(None), rows)

    def write_some(self, observations, chosen, rows):
        """Writes a slice of a batch of observations into an array with as many rows."""
        for keys, begin, end, writer in self._writers:
            part = observations
            for key in keys:
                part = part[key]
            writer(part[chosen], rows[:, begin:end])


def _write_numbers(batch, columns):
    columns[...] = batch.reshape(columns.shape)


class _OneHot:
    """Writes choices as one-hot vectors."""

    def __init__(self, starts, counts):
        self.starts = np.array(starts)
        self.offsets = np.concatenate(([0], np.cumsum(counts)[:-1]))

    def __call__(self, batch, columns):
        chosen = batch.reshape(len(columns), -1) - self.starts + self.offsets
        columns[...] = 0
        np.put_along_axis(columns, chosen, 1, axis=1)


class ActionRows:
    """Reads batches of actions of a space from rows, and masks from the info of Gymnasium.

    ``parts`` lists what Quantail calls the parts of the action: choices with their count, and boxes with their bounds.
    """

    def __init__(self, space):
        self.space = space
        self.parts = []
        self.size = 0
        self.mask_size = 0
        self._read = self._reader(space, "")

    def _reader(self, space, name):
        """Returns a function from rows to a batch of actions of a space."""
        begin = self.size
        if isinstance(space, spaces.Discrete):
            self._choices(name, [int(space.n)])
            start = int(space.start)
            kind = space.dtype
            return lambda rows: rows[:, begin].astype(kind) + kind.type(start)
        if isinstance(space, (spaces.MultiDiscrete, spaces.MultiBinary)):
            if isinstance(space, spaces.MultiDiscrete):
                counts = [int(n) for n in space.nvec.ravel()]
                start = space.start
            else:
                counts = [2] * math.prod(space.shape)
                start = 0
            self._choices(name, counts)
            end = self.size
            shape, kind = space.shape, space.dtype
            return lambda rows: (rows[:, begin:end].reshape(-1, *shape) + start).astype(kind)
        if isinstance(space, spaces.Box):
            self._box(name, space)
            end = self.size
            shape, kind = space.shape, space.dtype
            if not np.issubdtype(kind, np.floating):
                return lambda rows: np.rint(rows[:, begin:end]).reshape(-1, *shape).astype(kind)
            # Clipped, because float32 may round a bound of float64 to the outside; copied, because an environment may
            # keep its action.
            low, high = space.low, space.high
            return lambda rows: np.clip(rows[:, begin:end].reshape(-1, *shape).astype(kind), low, high)
        if isinstance(space, spaces.Dict):
            readers = {key: self._reader(inner, _join(name, key)) for key, inner in space.spaces.items()}
            return lambda rows: {key: read(rows) for key, read in readers.items()}
        if isinstance(space, spaces.Tuple):
            readers = [self._reader(inner, _join(name, index)) for index, inner in enumerate(space.spaces)]
            return lambda rows: tuple(read(rows) for read in readers)
        raise UnsupportedSpace(
            f"the action space has a part {type(space).__name__}{' named ' + name if name else ''}, which is neither"
            " a choice nor a box; use a wrapper of Gymnasium that turns it into one"
        )

    def _choices(self, name, counts):
        for count in counts:
            if count < 2:
                raise UnsupportedSpace(
                    f"a choice of the action space{' named ' + name if name else ''} has {count} value; at least 2 are needed"
                )
            self.parts.append({"count": count})
            self.size += 1
            self.mask_size += count

    def _box(self, name, space):
        low, high = space.low.ravel().astype(float), space.high.ravel().astype(float)
        if not (np.isfinite(low).all() and np.isfinite(high).all()):
            raise UnsupportedSpace(
                f"the action space {space}{' named ' + name if name else ''} has no finite bounds; use the wrapper"
                " RescaleAction or ClipAction of Gymnasium"
            )
        self.parts.append({"low": low.tolist(), "high": high.tolist()})
        self.size += len(low)

    def read(self, rows):
        """Returns the batch of actions in an array [environment, number]."""
        return self._read(rows)

    def write_mask(self, mask, row):
        """Writes a mask of Gymnasium, an array or a tuple or dict of arrays, into a row of booleans."""
        flat = _flat_mask(mask)
        if len(flat) != self.mask_size:
            raise ValueError(
                f'info["action_mask"] has {len(flat)} values, must have {self.mask_size}, one for each choice of'
                f" {self.space}"
            )
        row[:] = flat


def _join(name, key):
    return f"{name}.{key}" if name else str(key)


def _flat_mask(mask):
    if isinstance(mask, dict):
        mask = tuple(mask.values())
    if isinstance(mask, tuple) or (isinstance(mask, np.ndarray) and mask.dtype == object):
        parts = [_flat_mask(part) for part in mask if part is not None]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)
    return np.asarray(mask).ravel().astype(bool)
