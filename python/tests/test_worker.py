import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

import gymnasium
import numpy as np

from quantail_gymnasium import protocol
from quantail_gymnasium.protocol import HEADER, RESET_CONTENT, Connection
from quantail_gymnasium.worker import Worker


class Masked(gymnasium.Env):
    """Allows one more choice after each step and raises at the action 3."""

    observation_space = gymnasium.spaces.Box(-10, 10, (1,))
    action_space = gymnasium.spaces.Discrete(4)

    def _mask(self):
        return {"action_mask": (np.arange(4) <= self.steps).astype(np.int8)}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        return np.zeros(1, dtype=np.float32), self._mask()

    def step(self, action):
        if action == 3:
            raise RuntimeError("the rope tore")
        self.steps += 1
        return np.array([self.steps], dtype=np.float32), -1.5, self.steps == 3, False, self._mask()


gymnasium.register("Masked-v0", Masked)


class WorkerTest(unittest.TestCase):
    def setUp(self):
        ours, theirs = socket.socketpair()
        self.addCleanup(theirs.close)
        self.addCleanup(ours.close)
        self.connection = Connection(ours)
        thread = threading.Thread(target=Worker(Connection(theirs)).serve, daemon=True)
        thread.start()
        kind, content = self.connection.receive()
        self.assertEqual(kind, protocol.HELLO)
        self.assertEqual(json.loads(bytes(content))["protocol"], protocol.VERSION)

    def ask(self, kind, content=b""):
        self.connection.send(kind, content)
        kind, answer = self.connection.receive()
        return kind, bytes(answer)

    def make(self, name, count, **options):
        request = json.dumps({"id": name, "count": count, "options": options}).encode()
        kind, answer = self.ask(protocol.MAKE, request)
        return kind, json.loads(answer) if kind == protocol.SPACES else answer.decode()

    def reset(self, row, seed):
        return self.ask(protocol.RESET, RESET_CONTENT.pack(row, 0, seed))

    def step(self, *actions):
        return self.ask(protocol.STEP, np.array(actions, dtype="<f4").tobytes())

    def test_should_give_what_gymnasium_gives(self):
        kind, spaces = self.make("Pendulum-v1", 2, g=9.0)
        self.assertEqual(kind, protocol.SPACES)
        self.assertEqual(spaces["action"], [{"low": [-2.0], "high": [2.0]}])
        self.assertEqual(spaces["observation"], [{"name": "", "size": 3, "raw": False}])
        self.assertFalse(spaces["masks"])
        bare = [gymnasium.make("Pendulum-v1", g=9.0) for _ in range(2)]
        for row, env in enumerate(bare):
            kind, answer = self.reset(row, 40 + row)
            self.assertEqual(kind, protocol.ROW)
            np.testing.assert_array_equal(np.frombuffer(answer, "<f4"), env.reset(seed=40 + row)[0])
        for _ in range(200):
            kind, answer = self.step(0.5, -1)
            self.assertEqual(kind, protocol.ROWS)
            expected = [env.step(np.array([a], np.float32)) for env, a in zip(bare, (0.5, -1))]
            rewards = np.frombuffer(answer, "<f8", 2)
            observations = np.frombuffer(answer, "<f4", 6, 16).reshape(2, 3)
            for row, (observation, reward, *_) in enumerate(expected):
                np.testing.assert_array_equal(observations[row], observation)
                self.assertEqual(rewards[row], reward)
            self.assertEqual(answer[40:42], bytes(2))
            self.assertEqual(answer[42:44], bytes([e[3] for e in expected]))
        self.assertEqual(answer[42:44], bytes([1, 1]), "both truncated after 200 steps")
        self.reset(0, 1)  # one of them goes on only after its reset
        kind, answer = self.step(0, 0)
        self.assertEqual(kind, protocol.FAILURE)

    def test_should_give_masks_and_failures(self):
        kind, spaces = self.make("Masked-v0", 2)
        self.assertTrue(spaces["masks"])
        self.assertEqual(spaces["action"], [{"count": 4}])
        for row in range(2):
            kind, answer = self.reset(row, 1)
            self.assertEqual(answer, struct.pack("<f", 0) + bytes([1, 0, 0, 0]))
        kind, answer = self.step(0, 1)
        self.assertEqual(answer, struct.pack("<ddff", -1.5, -1.5, 1, 1) + bytes(4) + bytes([1, 1, 0, 0] * 2))
        kind, answer = self.step(0, 3)
        self.assertEqual(kind, protocol.FAILURE)
        self.assertIn("RuntimeError: the rope tore", answer.decode())
        self.assertIn("test_worker.py", answer.decode())

    def test_should_say_why_there_is_no_environment(self):
        kind, text = self.make("NoSuchTask-v0", 1)
        self.assertEqual(kind, protocol.FAILURE)
        self.assertIn("NoSuchTask", text)
        kind, text = self.make("Pendulum-v1", 1, gravity=1)
        self.assertEqual(kind, protocol.FAILURE)
        self.assertIn("gravity", text)

    def test_should_refuse_unknown_requests(self):
        kind, answer = self.ask(99)
        self.assertEqual(kind, protocol.FAILURE)
        self.assertIn(b"unknown kind 99", answer)


class ProcessTest(unittest.TestCase):
    """The helper as a process: it ends with its parent."""

    def start(self, directory, code=""):
        path = os.path.join(directory, "socket")
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(path)
        server.listen()
        child = subprocess.Popen([sys.executable, "-m", "quantail_gymnasium", path], stdin=subprocess.PIPE)
        self.addCleanup(child.kill)
        connected, _ = server.accept()
        self.addCleanup(connected.close)
        connection = Connection(connected)
        kind, content = connection.receive()
        self.assertEqual(kind, protocol.HELLO)
        return child, connected

    def test_should_end_when_the_connection_ends(self):
        with tempfile.TemporaryDirectory() as directory:
            child, connected = self.start(directory)
            connected.close()
            self.assertEqual(child.wait(30), 0)
            child.stdin.close()

    def test_should_end_when_standard_input_ends(self):
        with tempfile.TemporaryDirectory() as directory:
            child, _ = self.start(directory)
            child.stdin.close()
            self.assertEqual(child.wait(30), 0)


if __name__ == "__main__":
    unittest.main()
