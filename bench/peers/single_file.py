"""Times recurrent PPO in the manner of CleanRL's single files: single_file.py WORKLOAD THREADS SECONDS.

Written anew after the description in CleanRL's documentation of its recurrent PPO: one LSTM shared
by actor and critic, one step of the LSTM per time step with the state cleared at episode starts,
minibatches of whole environments. No logging and no video, so it is, if anything, faster.
"""

import sys

import gymnasium
import numpy
import torch
from torch import nn
from torch.distributions import Categorical, Normal

from timing import report, time_cycles
from workloads import WORKLOADS

GAMMA, LAMBDA, CLIP = 0.99, 0.95, 0.2


class Agent(nn.Module):
    def __init__(self, space, actions, hidden):
        super().__init__()
        self.discrete = isinstance(actions, gymnasium.spaces.Discrete)
        self.encoder = nn.Sequential(nn.Linear(space.shape[0], 64), nn.ReLU())
        self.lstm = nn.LSTM(64, hidden)
        self.actor = nn.Linear(hidden, actions.n if self.discrete else actions.shape[0])
        self.critic = nn.Linear(hidden, 1)
        self.log_sigma = nn.Parameter(torch.zeros(1 if self.discrete else actions.shape[0]))

    def remember(self, seen, state, starts):
        """seen [time * environment, feature], starts [time * environment]; one call per time step."""
        environments = state[0].shape[1]
        features = self.encoder(seen).reshape(-1, environments, 64)
        keep = 1.0 - starts.reshape(-1, environments)
        latents = []
        for feature, kept in zip(features, keep):
            kept = kept.reshape(1, -1, 1)
            latent, state = self.lstm(feature.unsqueeze(0), (kept * state[0], kept * state[1]))
            latents.append(latent)
        return torch.cat(latents).flatten(0, 1), state

    def policy(self, latent):
        outputs = self.actor(latent)
        return Categorical(logits=outputs) if self.discrete else Normal(outputs, self.log_sigma.exp())

    def log_probability(self, policy, actions):
        logs = policy.log_prob(actions)
        return logs if self.discrete else logs.sum(1)


class Training:
    def __init__(self, workload):
        make, self.count, self.steps, batch, self.epochs, hidden, _ = WORKLOADS[workload]
        self.environments = [make() for _ in range(self.count)]
        first = self.environments[0]
        self.agent = Agent(first.observation_space, first.action_space, hidden)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=2.5e-4, eps=1e-5)
        self.per_batch = max(1, batch // self.steps)  # environments in a minibatch
        self.state = tuple(torch.zeros(1, self.count, hidden) for _ in range(2))
        self.seen = torch.tensor(numpy.stack([one.reset(seed=i)[0] for i, one in enumerate(self.environments)]))
        self.starts = torch.ones(self.count)

    def cycle(self):
        first_state = tuple(part.clone() for part in self.state)
        kept = [[] for _ in range(6)]
        for _ in range(self.steps):
            with torch.no_grad():
                latent, self.state = self.agent.remember(self.seen, self.state, self.starts)
                policy = self.agent.policy(latent)
                action = policy.sample()
                row = (self.seen, self.starts, action, self.agent.log_probability(policy, action), self.agent.critic(latent).flatten())
            rewards = self._step(action.numpy())
            for column, value in zip(kept, row + (rewards,)):
                column.append(value)
        seen, starts, actions, logs, values, rewards = (torch.stack(column) for column in kept)
        with torch.no_grad():
            last = self.agent.critic(self.agent.remember(self.seen, self.state, self.starts)[0]).flatten()
        advantages = torch.zeros_like(rewards)
        following = torch.zeros(self.count)
        for t in reversed(range(self.steps)):
            keep = 1 - (self.starts if t == self.steps - 1 else starts[t + 1])
            value = last if t == self.steps - 1 else values[t + 1]
            following = rewards[t] + GAMMA * value * keep - values[t] + GAMMA * LAMBDA * keep * following
            advantages[t] = following
        self._update(first_state, seen, starts, actions, logs, advantages, advantages + values)

    def _step(self, actions):
        rewards = torch.zeros(self.count)
        seen, starts = [], torch.zeros(self.count)
        for i, environment in enumerate(self.environments):
            observation, rewards[i], terminated, truncated, _ = environment.step(actions[i])
            if terminated or truncated:
                observation, _ = environment.reset()
                starts[i] = 1
            seen.append(observation)
        self.seen, self.starts = torch.tensor(numpy.stack(seen)), starts
        return rewards

    def _update(self, first_state, seen, starts, actions, logs, advantages, returns):
        for _ in range(self.epochs):
            for chosen in torch.randperm(self.count).split(self.per_batch):
                state = tuple(part[:, chosen] for part in first_state)
                latent, _ = self.agent.remember(seen[:, chosen].flatten(0, 1), state, starts[:, chosen].flatten())
                policy = self.agent.policy(latent)
                log = self.agent.log_probability(policy, actions[:, chosen].flatten(0, 1))
                ratio = (log - logs[:, chosen].flatten()).exp()
                advantage = advantages[:, chosen].flatten()
                advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
                surrogate = torch.max(-advantage * ratio, -advantage * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
                error = (self.agent.critic(latent).flatten() - returns[:, chosen].flatten()).square().mean()
                loss = surrogate - 0.01 * policy.entropy().mean() + 0.25 * error
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
                self.optimizer.step()


def main(workload, threads, seconds):
    torch.set_num_threads(threads)
    report("single-file", workload, threads, *time_cycles(Training(workload), seconds))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
