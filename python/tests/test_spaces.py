import unittest

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array

from quantail_gymnasium.spaces import ActionRows, ObservationRows, UnsupportedSpace


def batch(space, observations):
    return concatenate(space, observations, create_empty_array(space, n=len(observations), fn=np.zeros))


class ObservationRowsTest(unittest.TestCase):
    def test_should_flatten_nested_spaces_with_names(self):
        space = spaces.Dict(
            {
                "position": spaces.Box(-1, 1, (2, 2)),
                "kind": spaces.Discrete(3, start=5),
                "inner": spaces.Tuple([spaces.MultiBinary(2), spaces.MultiDiscrete([2, 3])]),
            }
        )
        rows = ObservationRows(space)
        self.assertEqual(
            [(part["name"], part["size"], part["raw"]) for part in rows.parts],
            [("inner.0", 2, True), ("inner.1", 5, True), ("kind", 3, True), ("position", 4, False)],
        )
        observations = [
            {
                "position": np.array([[1, 2], [3, 4]], dtype=np.float32),
                "kind": np.int64(6),
                "inner": (np.array([1, 0], dtype=np.int8), np.array([1, 2])),
            },
            {
                "position": np.zeros((2, 2), dtype=np.float32),
                "kind": np.int64(5),
                "inner": (np.array([0, 1], dtype=np.int8), np.array([0, 0])),
            },
        ]
        written = np.full((2, rows.size), 9, dtype=np.float32)
        rows.write(batch(space, observations), written)
        np.testing.assert_array_equal(
            written,
            [[1, 0, 0, 1, 0, 0, 1, 0, 1, 0, 1, 2, 3, 4], [0, 1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]],
        )

    def test_should_agree_with_gymnasium_on_every_size(self):
        for space in (
            spaces.Box(0, 1, (3, 2)),
            spaces.Discrete(4),
            spaces.MultiDiscrete([[2, 3], [4, 5]]),
            spaces.Dict({"a": spaces.Discrete(2), "b": spaces.Tuple([spaces.Box(0, 1), spaces.MultiBinary([2, 2])])}),
        ):
            space.seed(3)
            rows = ObservationRows(space)
            samples = [space.sample() for _ in range(5)]
            written = np.zeros((5, rows.size), dtype=np.float32)
            rows.write(batch(space, samples), written)
            for sample, row in zip(samples, written):
                np.testing.assert_allclose(row, np.asarray(spaces.flatten(space, sample)).astype(np.float32))

    def test_should_refuse_what_is_no_row_of_numbers(self):
        with self.assertRaisesRegex(UnsupportedSpace, "a part Text named note"):
            ObservationRows(spaces.Dict({"note": spaces.Text(5)}))


class ActionRowsTest(unittest.TestCase):
    def read(self, space, *rows):
        actions = ActionRows(space).read(np.array(rows, dtype=np.float32))
        self.assertIn(actions, batch_space(space, len(rows)), "an action of the batched space")
        return actions

    def test_should_add_the_start_of_choices(self):
        np.testing.assert_array_equal(self.read(spaces.Discrete(3, start=-1), [0], [2]), [-1, 1])
        np.testing.assert_array_equal(
            self.read(spaces.MultiDiscrete([2, 3], start=[0, 10]), [1, 2], [0, 0]), [[1, 12], [0, 10]]
        )

    def test_should_keep_the_shape_and_the_bounds_of_a_box(self):
        space = spaces.Box(-0.1, 0.1, (2, 1), dtype=np.float64)
        np.testing.assert_allclose(self.read(space, [0.1, -0.1])[0], [[0.1], [-0.1]])

    def test_should_round_whole_numbers(self):
        np.testing.assert_array_equal(self.read(spaces.Box(0, 9, (2,), dtype=np.int32), [2.6, 7]), [[3, 7]])

    def test_should_read_the_parts_of_a_dict(self):
        space = spaces.Dict({"gear": spaces.Discrete(3), "throttle": spaces.Box(-1, 1)})
        rows = ActionRows(space)
        self.assertEqual(rows.parts, [{"count": 3}, {"low": [-1.0], "high": [1.0]}])
        actions = rows.read(np.array([[2, 0.5], [0, -1]], dtype=np.float32))
        np.testing.assert_array_equal(actions["gear"], [2, 0])
        np.testing.assert_array_equal(actions["throttle"], [[0.5], [-1]])

    def test_should_keep_actions_when_the_message_changes(self):
        message = np.array([[0.5]], dtype=np.float32)
        action = ActionRows(spaces.Box(-1, 1)).read(message)
        message[0, 0] = -0.5
        self.assertEqual(action[0, 0], 0.5)

    def test_should_flatten_masks(self):
        row = np.zeros(5, dtype=bool)
        ActionRows(spaces.MultiDiscrete([2, 3])).write_mask((np.array([1, 0]), np.array([0, 1, 1])), row)
        np.testing.assert_array_equal(row, [True, False, False, True, True])
        with self.assertRaisesRegex(ValueError, "has 3 values, must have 5"):
            ActionRows(spaces.MultiDiscrete([2, 3])).write_mask(np.ones(3), row)

    def test_should_refuse_a_box_without_bounds(self):
        with self.assertRaisesRegex(UnsupportedSpace, "no finite bounds"):
            ActionRows(spaces.Box(-np.inf, np.inf, (2,)))


if __name__ == "__main__":
    unittest.main()
