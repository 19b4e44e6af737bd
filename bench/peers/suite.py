#!/usr/bin/env python3
"""Trains PPO of Stable-Baselines3 or RecurrentPPO of sb3-contrib on one task of tools/learning-suite.

    suite.py TASK SEED STEPS     prints one line of JSON: evaluation, learning curve, versions
    suite.py --settings          prints the hyper-parameters of all tasks as a table

One torch thread. The evaluation plays 100 episodes with the most likely actions, in environments with other seeds than
training. A point of the learning curve is the mean return of the episodes that ended in at least 1,024 steps of
training, without the reward normalisation.
"""

import json
import sys
import time

import gymnasium
import numpy
import sb3_contrib
import stable_baselines3
import torch
from gymnasium.wrappers import TimeLimit
from sb3_contrib import RecurrentPPO
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy
from stable_baselines3.common.vec_env import VecNormalize

from suite_tasks import COLOURS, RANKS, Autoencode, Concentration, Ladder, RepeatPrevious, Selected, TailBandit

EPISODES = 100
EVALUATION_ENVIRONMENTS = 10
POINT = 1024  # steps between two points of a learning curve


def linear(start):
    """A schedule that falls to 0, as lin_ in the zoo's files."""
    schedule = lambda remaining: remaining * start  # noqa: E731
    schedule.text = f"{start}, linear to 0"
    return schedule


def classic(name, *components):
    """A task of Gymnasium, with the given components of its observations or with all of them."""
    if not components:
        return lambda: gymnasium.make(name)
    return lambda: Selected(gymnasium.make(name), components)


def games(name, sizes):
    return {f"{name}{size}-v0": (make, RECURRENT, MEMORY) for size, make in sizes.items()}


RECURRENT, PLAIN = True, False
ZOO = "rl_zoo3 2.9.2"
CARTPOLE = dict(
    source=f"{ZOO}, ppo, CartPole-v1",
    n_envs=8,
    n_steps=32,
    batch_size=256,
    gae_lambda=0.8,
    gamma=0.98,
    n_epochs=20,
    ent_coef=0.0,
    learning_rate=linear(0.001),
    clip_range=linear(0.2),
)
PENDULUM = dict(
    source=f"{ZOO}, ppo, Pendulum-v1",
    n_envs=4,
    n_steps=1024,
    gae_lambda=0.95,
    gamma=0.9,
    n_epochs=10,
    ent_coef=0.0,
    learning_rate=1e-3,
    clip_range=0.2,
    use_sde=True,
    sde_sample_freq=4,
)
SMALL_LSTM = dict(
    ortho_init=False,
    activation_fn=torch.nn.ReLU,
    lstm_hidden_size=64,
    enable_critic_lstm=True,
    net_arch=dict(pi=[64], vf=[64]),
)
ACROBOT = dict(
    source=f"{ZOO}, ppo and ppo_lstm, Acrobot-v1",
    normalize=True,
    n_envs=16,
    n_steps=256,
    gae_lambda=0.94,
    gamma=0.99,
    n_epochs=4,
    ent_coef=0.0,
)
MOUNTAIN_CAR = dict(
    source=f"{ZOO}, ppo, MountainCarContinuous-v0",
    normalize=True,
    n_envs=1,
    n_steps=8,
    batch_size=256,
    gamma=0.9999,
    learning_rate=7.77e-05,
    ent_coef=0.00429,
    clip_range=0.1,
    n_epochs=10,
    gae_lambda=0.9,
    max_grad_norm=5,
    vf_coef=0.19,
    use_sde=True,
    policy_kwargs=dict(log_std_init=-3.29, ortho_init=False),
)
# The zoo has no settings for the following tasks: rollouts, batches, learning rate, discount and entropy are those of
# configs/suite, the network is that of the zoo's CartPoleNoVel-v1.
MEMORY = dict(
    source="configs/suite; network of CartPoleNoVel-v1",
    n_envs=16,
    n_steps=128,
    batch_size=512,
    gae_lambda=0.95,
    gamma=0.99,
    n_epochs=10,
    ent_coef=0.01,
    learning_rate=linear(0.001),
    policy_kwargs=SMALL_LSTM,
)
BANDIT = dict(
    source="configs/risk/tail-bandit.yaml",
    n_envs=64,
    n_steps=64,
    batch_size=2048,
    n_epochs=2,
    ent_coef=0.001,
    learning_rate=linear(0.01),
)
LADDER = dict(
    source="configs/suite/time-limit.yaml",
    n_envs=16,
    n_steps=128,
    batch_size=512,
    gae_lambda=0.95,
    gamma=0.99,
    n_epochs=10,
    ent_coef=0.01,
    learning_rate=linear(0.001),
)

LUNAR_LANDER = dict(
    source=f"{ZOO}, ppo, LunarLander-v2",
    n_envs=16,
    n_steps=1024,
    batch_size=64,
    gae_lambda=0.98,
    gamma=0.999,
    n_epochs=4,
    ent_coef=0.01,
)
HOPPER = dict(
    source=f"{ZOO}, ppo, Hopper-v4",
    normalize=True,
    n_envs=1,
    n_steps=512,
    batch_size=32,
    gae_lambda=0.99,
    gamma=0.999,
    n_epochs=5,
    ent_coef=0.00229519,
    learning_rate=9.80828e-05,
    clip_range=0.2,
    max_grad_norm=0.7,
    vf_coef=0.835671,
    policy_kwargs=dict(
        log_std_init=-2,
        ortho_init=False,
        activation_fn=torch.nn.ReLU,
        net_arch=dict(pi=[256, 256], vf=[256, 256]),
    ),
)

# name: (environment, recurrent, settings)
TASKS = {
    "CartPole-v1": (classic("CartPole-v1"), PLAIN, CARTPOLE),
    "CartPoleNoVelocity-v1": (
        classic("CartPole-v1", 0, 2),
        RECURRENT,
        CARTPOLE | dict(source=f"{ZOO}, ppo_lstm, CartPoleNoVel-v1", normalize=True, policy_kwargs=SMALL_LSTM),
    ),
    "Pendulum-v1": (classic("Pendulum-v1"), PLAIN, PENDULUM),
    "PendulumNoVelocity-v1": (
        classic("Pendulum-v1", 0, 1),
        RECURRENT,
        PENDULUM | dict(source=f"{ZOO}, ppo_lstm, PendulumNoVel-v1", normalize=True, policy_kwargs=SMALL_LSTM),
    ),
    "Acrobot-v1": (classic("Acrobot-v1"), PLAIN, ACROBOT),
    "AcrobotNoVelocity-v1": (classic("Acrobot-v1", 0, 1, 2, 3), RECURRENT, ACROBOT),
    "MountainCarContinuous-v0": (classic("MountainCarContinuous-v0"), PLAIN, MOUNTAIN_CAR),
    "MountainCarContinuousNoVelocity-v0": (
        classic("MountainCarContinuous-v0", 0),
        RECURRENT,
        MOUNTAIN_CAR
        | dict(
            source=f"{ZOO}, ppo_lstm, MountainCarContinuousNoVel-v0",
            n_envs=8,
            n_steps=1024,
            sde_sample_freq=8,
            policy_kwargs=dict(
                log_std_init=0.0,
                ortho_init=False,
                lstm_hidden_size=32,
                enable_critic_lstm=True,
                net_arch=dict(pi=[64], vf=[64]),
            ),
        ),
    ),
    **games(
        "RepeatPrevious",
        {
            "Easy": lambda: RepeatPrevious(52, 3),
            "Medium": lambda: RepeatPrevious(104, 31),
            "Hard": lambda: RepeatPrevious(156, 63),
        },
    ),
    **games(
        "Autoencode",
        {
            "Tiny": lambda: Autoencode(8),
            "Easy": lambda: Autoencode(52),
            "Medium": lambda: Autoencode(104),
            "Hard": lambda: Autoencode(156),
        },
    ),
    **games(
        "Concentration",
        {
            "Tiny": lambda: TimeLimit(Concentration(8, COLOURS), 16),
            "Easy": lambda: TimeLimit(Concentration(52, COLOURS), 104),
            "Medium": lambda: TimeLimit(Concentration(104, COLOURS), 208),
            "Hard": lambda: TimeLimit(Concentration(52, RANKS), 104),
        },
    ),
    "LunarLander-v3": (classic("LunarLander-v3"), PLAIN, LUNAR_LANDER),
    "Hopper-v5": (classic("Hopper-v5"), PLAIN, HOPPER),
    "TimeLimit-v0": (lambda: TimeLimit(Ladder(), 20), PLAIN, LADDER),
    "TailBandit-v0": (TailBandit, PLAIN, BANDIT),
}
# Trained with a short time limit, judged with a long one.
EVALUATED_IN = {"TimeLimit-v0": lambda: TimeLimit(Ladder(), 200)}


class Curve(BaseCallback):
    """Collects [steps, mean return of the episodes that ended since the last point]."""

    def __init__(self):
        super().__init__()
        self.points, self.returns, self.due = [], [], POINT

    def _on_step(self):
        self.returns += [info["episode"]["r"] for info in self.locals["infos"] if "episode" in info]
        if self.num_timesteps >= self.due:
            self.due = self.num_timesteps + POINT
            if self.returns:
                self.points.append([self.num_timesteps, float(numpy.mean(self.returns))])
            self.returns = []
        return True


def normalised(environments, settings, training):
    if not settings.get("normalize"):
        return environments
    return VecNormalize(environments, training=training, norm_reward=training, gamma=settings["gamma"])


def train(task, seed, steps):
    torch.set_num_threads(1)
    make, recurrent, settings = TASKS[task]
    algorithm, policy = (RecurrentPPO, "MlpLstmPolicy") if recurrent else (PPO, "MlpPolicy")
    options = {key: value for key, value in settings.items() if key not in ("source", "normalize", "n_envs")}
    environments = normalised(make_vec_env(make, settings["n_envs"], seed=seed), settings, True)
    model = algorithm(policy, environments, device="cpu", seed=seed, **options)
    curve = Curve()
    wall, cpu = time.perf_counter(), time.process_time()
    model.learn(steps, callback=curve)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    judged = make_vec_env(EVALUATED_IN.get(task, make), EVALUATION_ENVIRONMENTS, seed=1_000_000 + 1000 * seed)
    judged = normalised(judged, settings, False)
    if settings.get("normalize"):
        judged.obs_rms = environments.obs_rms
    returns, _ = evaluate_policy(model, judged, EPISODES, deterministic=True, return_episode_rewards=True)
    return dict(
        task=task,
        seed=seed,
        side=algorithm.__name__,
        steps=model.num_timesteps,
        seconds=wall,
        cpuSeconds=cpu,
        evaluation=dict(
            episodes=len(returns),
            meanReturn=float(numpy.mean(returns)),
            stdReturn=float(numpy.std(returns)),
            minReturn=float(min(returns)),
            maxReturn=float(max(returns)),
        ),
        curve=curve.points,
        versions={module.__name__: module.__version__ for module in (sb3_contrib, stable_baselines3, gymnasium, torch)},
    )


def shown(value):
    if isinstance(value, dict):
        return ", ".join(f"{key} {shown(part)}" for key, part in value.items())
    return getattr(value, "text", None) or getattr(value, "__name__", None) or str(value)


def table():
    print("| task | algorithm | source | hyper-parameters; the others at the library's default |")
    print("|---|---|---|---|")
    for task, (_, recurrent, settings) in TASKS.items():
        rest = "; ".join(f"{key} {shown(value)}" for key, value in settings.items() if key != "source")
        print(f"| {task} | {'RecurrentPPO' if recurrent else 'PPO'} | {settings['source']} | {rest} |")


if __name__ == "__main__":
    if sys.argv[1:] == ["--settings"]:
        table()
    else:
        print(json.dumps(train(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
