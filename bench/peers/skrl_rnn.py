"""Times PPO_RNN of skrl: skrl_rnn.py WORKLOAD THREADS SECONDS.

Where the workload shares the memory, policy and value are one model with one LSTM that runs once for both, skrl's
"single forward pass"; elsewhere each has an LSTM of its own. Sequences are whole rollouts, and a minibatch is whole
environments, always the same ones since PPO_RNN does not shuffle. skrl leaves the recurrence over a sequence to the
model: here the LSTM runs in one call from one episode end of the minibatch to the next. Environments are reset within
the step that ends an episode, as sb3-contrib does it, so that no step is lost to a reset. Nothing is logged or saved.
"""

import os
import sys

import skrl
import torch
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from skrl.agents.torch.ppo import PPO_RNN
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, GaussianMixin, Model
from skrl.utils import set_seed
from torch import nn

from timing import report, time_cycles
from workloads import HEAD_UNITS, WORKLOADS


def head(hidden, outputs):
    return nn.Sequential(nn.Linear(hidden, HEAD_UNITS), nn.Tanh(), nn.Linear(HEAD_UNITS, outputs))


class Recurrent(Model):
    """An LSTM that takes one step when acting and whole sequences when learning."""

    def __init__(self, environments, hidden, steps):
        super().__init__(observation_space=environments.observation_space, action_space=environments.action_space)
        self.lstm = nn.LSTM(self.num_observations, hidden)
        self.steps = steps
        self.sizes = [(1, environments.num_envs, hidden)] * 2

    def get_specification(self):
        return {"rnn": {"sequence_length": self.steps, "sizes": self.sizes}}

    def remember(self, inputs):
        if "terminated" in inputs:  # only when learning
            return self._sequences(inputs)
        latent, state = self.lstm(inputs["observations"].unsqueeze(0), tuple(inputs["rnn"]))
        return latent.squeeze(0), state

    def _sequences(self, inputs):
        """All inputs are [environment * time, feature], the states [layer, environment * time, unit]."""
        seen = inputs["observations"].unflatten(0, (-1, self.steps)).transpose(0, 1)
        ended = (inputs["terminated"] | inputs["truncated"]).unflatten(0, (-1, self.steps)).transpose(0, 1)
        state = tuple(part[:, :: self.steps] for part in inputs["rnn"])
        cuts = ended[:-1].flatten(1).any(1).nonzero().flatten() + 1
        latents, start = [], 0
        for end in [*cuts.tolist(), self.steps]:
            latent, state = self.lstm(seen[start:end], state)
            state = tuple(part * ~ended[end - 1] for part in state)
            latents.append(latent)
            start = end
        return torch.cat(latents).transpose(0, 1).flatten(0, 1), state


class Policy(CategoricalMixin, Recurrent):
    def __init__(self, environments, hidden, steps):
        Recurrent.__init__(self, environments, hidden, steps)
        CategoricalMixin.__init__(self)
        self.actor = head(hidden, self.num_actions)

    def compute(self, inputs, role=""):
        latent, state = self.remember(inputs)
        return self.actor(latent), {"rnn": state}


class Value(DeterministicMixin, Recurrent):
    def __init__(self, environments, hidden, steps):
        Recurrent.__init__(self, environments, hidden, steps)
        DeterministicMixin.__init__(self)
        self.critic = head(hidden, 1)

    def compute(self, inputs, role=""):
        latent, state = self.remember(inputs)
        return self.critic(latent), {"rnn": state}


class Shared(GaussianMixin, DeterministicMixin, Recurrent):
    """Policy and value; the value takes over what the LSTM just gave the policy for the same observations."""

    def __init__(self, environments, hidden, steps):
        Recurrent.__init__(self, environments, hidden, steps)
        GaussianMixin.__init__(self, role="policy")
        DeterministicMixin.__init__(self, role="value")
        self.actor = head(hidden, self.num_actions)
        self.critic = head(hidden, 1)
        self.log_sigma = nn.Parameter(torch.zeros(self.num_actions))
        self.remembered = None

    def act(self, inputs, *, role=""):
        mixin = GaussianMixin if role == "policy" else DeterministicMixin
        return mixin.act(self, inputs, role=role)

    def compute(self, inputs, role=""):
        if role == "policy":
            latent, state = self.remembered = self.remember(inputs)
            return self.actor(latent), {"log_std": self.log_sigma, "rnn": state}
        latent, state = self.remembered or self.remember(inputs)
        self.remembered = None
        return self.critic(latent), {"rnn": state}


def models(environments, hidden, steps, shared):
    if shared:
        both = Shared(environments, hidden, steps)
        return {"policy": both, "value": both}
    return {"policy": Policy(environments, hidden, steps), "value": Value(environments, hidden, steps)}


class Training:
    def __init__(self, workload):
        make, self.count, self.steps, batch, epochs, hidden, shared = WORKLOADS[workload]
        environments = SyncVectorEnv([make] * self.count, copy=False, autoreset_mode=AutoresetMode.SAME_STEP)
        self.environments = wrap_env(environments, wrapper="gymnasium")
        settings = dict(
            rollouts=self.steps,
            learning_epochs=epochs,
            mini_batches=self.count * self.steps // batch,
            learning_rate=3e-4,
            value_clip=0,
            value_loss_scale=0.5,
            experiment=dict(write_interval=0, checkpoint_interval=0),
        )
        self.agent = PPO_RNN(
            models=models(self.environments, hidden, self.steps, shared),
            memory=RandomMemory(memory_size=self.steps, num_envs=self.count),
            observation_space=self.environments.observation_space,
            action_space=self.environments.action_space,
            cfg=settings,
        )
        self.agent.init()
        self.agent.enable_training_mode(True)
        self.seen, _ = self.environments.reset()
        self.time = 0

    def cycle(self):
        for _ in range(self.steps):
            self._step(dict(timestep=self.time, timesteps=sys.maxsize))
            self.time += 1

    def _step(self, when):
        """One step of all environments; every last one of a rollout updates the agent."""
        self.agent.pre_interaction(**when)
        with torch.no_grad():
            actions, _ = self.agent.act(self.seen, None, **when)
            seen, rewards, terminated, truncated, infos = self.environments.step(actions)
            self.agent.record_transition(
                observations=self.seen,
                states=None,
                actions=actions,
                rewards=rewards,
                next_observations=seen,
                next_states=None,
                terminated=terminated,
                truncated=truncated,
                infos=infos,
                **when,
            )
        self.agent.post_interaction(**when)
        self.seen = seen


def main(workload, threads, seconds):
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  # skrl takes a GPU where it finds one
    skrl.logger.setLevel("WARNING")
    torch.set_num_threads(threads)
    set_seed(1)
    report("skrl", workload, threads, *time_cycles(Training(workload), seconds))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
