"""PPO in JAX, with and without memory: jax_ppo.py WORKLOAD THREADS SECONDS [same|scalar].

Rollout, targets and all epochs are one jitted function. `same` trains the critics of Quantail: twins of 51
quantiles against 16 particles, each with a mean head; `scalar` trains one critic with one output. The recurrent
layer has a gradient of its own: products of weights are taken once for all steps, outside of the loop over time.
`jax_check.py` shows that loss and gradient are those of Quantail. What was tried to make this program faster is
listed in docs/internals/performance.md; JAX_TUNE changes one choice, for example JAX_TUNE=unroll=1,reset=0.

Not computed here, but by Quantail: telemetry, calibration and predictions after the update, the KL divergence,
and a scale of returns that value heads follow.
"""

import os
import sys

TUNE = dict(unroll=1, act_unroll=1, nodes=16, sort="sort", flat=0, tanh=1, reset=1, donate=1)
for pair in filter(None, os.environ.get("JAX_TUNE", "").split(",")):
    TUNE[pair.split("=")[0]] = pair.split("=")[1] if not pair.split("=")[1].isdigit() else int(pair.split("=")[1])


def limit_threads(threads):
    """Before JAX is imported: the size of XLA's thread pools, which has no call of its own."""
    os.environ["NPROC"] = str(threads)
    os.environ["JAX_PLATFORMS"] = "cpu"
    if threads == 1:
        flags = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
        os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flags}"


if __name__ == "__main__":
    limit_threads(int(sys.argv[2]))

import functools
import math

import jax
import jax.numpy as jnp
import numpy
from jax import lax

FEATURES, EPISODE, COST = 64, 256, 0.001
GAMMA, LAMBDA, CLIP, ENTROPY, CRITIC = 0.99, 0.95, 0.2, 0.001, 0.5
RATE, BETA1, BETA2, EPSILON, MAX_NORM = 3e-4, 0.9, 0.999, 1e-8, 0.5
QUANTILES, PARTICLES, WINDOW = 51, 16, 32
SIGMA_MIN, SIGMA_MAX = 0.2, 1.5
LEVELS = jnp.asarray((numpy.arange(QUANTILES) + 0.5) / QUANTILES, jnp.float32)
HALF_LOG_2_PI = 0.5 * math.log(2 * math.pi)

# name: (environments, steps, batch, epochs, hidden, units of the layer behind it, memory)
SHAPES = {
    "trading-64": (16, 128, 512, 4, 64, 64, True),
    "trading-128": (16, 128, 512, 4, 128, 64, True),
    "memoryless-64": (16, 128, 512, 4, 64, 64, False),
    "memoryless-128": (16, 128, 512, 4, 128, 128, False),
}


# The recurrent layer. Gates are in the order input, forget, candidate, output; x is [time, batch, feature].


def gates_of(sums):
    """All gates by one tangent: a sigmoid is tanh(x / 2) / 2 + 1 / 2."""
    width = sums.shape[-1] // 4
    if not TUNE["tanh"]:
        i, f, g, o = jnp.split(sums, 4, -1)
        return jnp.concatenate([jax.nn.sigmoid(i), jax.nn.sigmoid(f), jnp.tanh(g), jax.nn.sigmoid(o)], -1)
    factor = numpy.full(4 * width, 0.5, numpy.float32)
    offset = numpy.full(4 * width, 0.5, numpy.float32)
    factor[2 * width : 3 * width], offset[2 * width : 3 * width] = 1, 0
    return factor * jnp.tanh(factor * sums) + offset


def lstm_step(recurrent, state, sums, kept):
    hidden, cell = state
    if kept is not None:
        hidden, cell = hidden * kept, cell * kept
    gates = gates_of(sums + hidden @ recurrent)
    i, f, g, o = jnp.split(gates, 4, -1)
    after = f * cell + i * g
    squashed = jnp.tanh(after)
    out = o * squashed
    return (out, after), (hidden, cell, gates, squashed, out)


@jax.custom_vjp
def lstm(weights, x, start, kept):
    return lstm_forward(weights, x, start, kept)[0]


def lstm_forward(weights, x, start, kept):
    w, recurrent, bias = weights
    sums = x @ w + bias
    if TUNE["reset"]:
        step = lambda state, row: lstm_step(recurrent, state, row[0], row[1])
        _, trace = lax.scan(step, start, (sums, kept[..., None]), unroll=TUNE["unroll"])
    else:
        step = lambda state, row: lstm_step(recurrent, state, row, None)
        _, trace = lax.scan(step, start, sums, unroll=TUNE["unroll"])
    return trace[-1], (weights, x, kept, trace)


def lstm_backward(saved, d_out):
    (w, recurrent, bias), x, kept, (hidden, cell, gates, squashed, _) = saved
    transposed = recurrent.T

    def step(carry, row):
        d_hidden, d_cell = carry
        d_out, cell, gates, squashed, kept = row
        i, f, g, o = jnp.split(gates, 4, -1)
        d_hidden = d_hidden + d_out
        d_cell = d_cell + d_hidden * o * (1 - squashed * squashed)
        d_sums = jnp.concatenate(
            [
                d_cell * g * i * (1 - i),
                d_cell * cell * f * (1 - f),
                d_cell * i * (1 - g * g),
                d_hidden * squashed * o * (1 - o),
            ],
            -1,
        )
        d_before, d_cell = d_sums @ transposed, d_cell * f
        if TUNE["reset"]:
            d_before, d_cell = d_before * kept, d_cell * kept
        return (d_before, d_cell), d_sums

    zero = jnp.zeros_like(hidden[0])
    rows = (d_out, cell, gates, squashed, kept[..., None])
    _, d_sums = lax.scan(step, (zero, zero), rows, reverse=True, unroll=TUNE["unroll"])
    flat = d_sums.reshape(-1, d_sums.shape[-1])
    d_w = x.reshape(-1, x.shape[-1]).T @ flat
    d_recurrent = hidden.reshape(-1, hidden.shape[-1]).T @ flat
    return (d_w, d_recurrent, flat.sum(0)), None, None, None


lstm.defvjp(lstm_forward, lstm_backward)


# Network and loss.


def initial(shape, key, outputs):
    _, _, _, _, hidden, units, memory = shape
    keys = jax.random.split(key, 4)
    bound = hidden**-0.5
    inputs = hidden if memory else FEATURES
    parameters = dict(
        first=(jax.nn.initializers.orthogonal(2**0.5)(keys[2], (inputs, units)), jnp.zeros(units)),
        heads=(0.01 * jax.nn.initializers.orthogonal()(keys[3], (units, outputs)), jnp.zeros(outputs)),
        sigma=jnp.zeros(1),
    )
    if memory:
        draw = lambda k, n: jax.random.uniform(k, (n, 4 * hidden), minval=-bound, maxval=bound)
        parameters["lstm"] = (draw(keys[0], FEATURES), draw(keys[1], hidden), jnp.zeros(4 * hidden))
    return parameters


def heads(parameters, features):
    """The action's mean, and the outputs of all critics."""
    w, b = parameters["first"]
    latent = jax.nn.silu(features @ w + b)
    w, b = parameters["heads"]
    outputs = latent @ w + b
    return outputs[..., 0], outputs[..., 1:]


def deviation(parameters):
    return (SIGMA_MIN + (SIGMA_MAX - SIGMA_MIN) * jax.nn.sigmoid(parameters["sigma"]))[0]


def log_derivative(x):
    """Of the tangent that squashes actions."""
    size = jnp.abs(2 * x)
    return 2 * math.log(2) - size - 2 * jnp.log1p(jnp.exp(-size))


def log_probability(raw, mean, sigma):
    z = (raw - mean) / sigma
    return -0.5 * z * z - jnp.log(sigma) - HALF_LOG_2_PI - log_derivative(raw)


def entropy(mean, sigma):
    """By Gauss-Hermite quadrature."""
    nodes, weights = numpy.polynomial.hermite_e.hermegauss(TUNE["nodes"])
    weights = jnp.asarray(weights / weights.sum(), jnp.float32)
    x = mean[..., None] + sigma * jnp.asarray(nodes, jnp.float32)
    return jnp.log(sigma) + HALF_LOG_2_PI + 0.5 + log_derivative(x) @ weights


@jax.custom_vjp
def pinball(quantiles, particles):
    """Summed over rows: quantiles [row, critic, N] against particles [row, K]."""
    return pinball_forward(quantiles, particles)[0]


def pinball_forward(quantiles, particles):
    count = particles.shape[-1]
    below, sums = 0.0, 0.0
    for k in range(count):  # one loop over the quantiles, not one array of all pairs
        particle = particles[:, k, None, None]
        under = particle < quantiles
        below = below + jnp.where(under, 1.0, 0.0)
        sums = sums + jnp.where(under, particle, 0.0)
    every = particles.sum(-1)[:, None, None]
    losses = LEVELS * (every - count * quantiles) - (sums - below * quantiles)
    scale = 1 / (QUANTILES * count)
    return losses.sum() * scale, (below - LEVELS * count) * scale


def pinball_backward(slopes, d):
    return d * slopes, None


pinball.defvjp(pinball_forward, pinball_backward)


def critic_loss(values, batch, scalar):
    """Averaged over rows and critics."""
    if scalar:
        return 0.5 * jnp.mean(jnp.square(values[:, 0] - batch["target"]))
    both = values.reshape(values.shape[0], 2, QUANTILES + 1)
    means = 0.5 * jnp.square(both[..., QUANTILES] - batch["target"][:, None]).sum()
    return (pinball(both[..., :QUANTILES], batch["particles"]) + means) / (2 * values.shape[0])


def loss(parameters, batch, scalar):
    """The batch is time-major, [step, window, ...]."""
    x = batch["observations"]
    if "lstm" in parameters:
        start = (batch["hidden"], batch["cell"])
        x = lstm(parameters["lstm"], x, start, batch["kept"])
    x = x.reshape(-1, x.shape[-1])
    rows = {name: batch[name].reshape(x.shape[0], *batch[name].shape[2:]) for name in ("raw", "logp", "advantage", "target", "particles")}
    mean, values = heads(parameters, x)
    sigma = deviation(parameters)
    ratio = jnp.exp(log_probability(rows["raw"], mean, sigma) - rows["logp"])
    advantage = rows["advantage"]
    surrogate = -jnp.minimum(ratio * advantage, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * advantage).mean()
    return surrogate - ENTROPY * entropy(mean, sigma).mean() + CRITIC * critic_loss(values, rows, scalar)


def adam(parameters, gradient, moments, step):
    norm = jnp.sqrt(sum(jnp.vdot(g, g) for g in jax.tree.leaves(gradient)))
    factor = jnp.minimum(1, MAX_NORM / (norm + 1e-6))
    first = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * factor * g, moments[0], gradient)
    second = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * jnp.square(factor * g), moments[1], gradient)
    rate = RATE / (1 - BETA1**step)
    correction = 1 / (1 - BETA2**step)
    change = lambda p, m, v: p - rate * m / (jnp.sqrt(v * correction) + EPSILON)
    return jax.tree.map(change, parameters, first, second), (first, second)


# The environment: the twin of workloads.SyntheticMarket, all environments at once.

PERIODS = jnp.asarray(0.01 * numpy.arange(1, FEATURES), jnp.float32)


def wave(place):
    return 4 * jnp.abs(place - jnp.floor(place) - 0.5) - 1


def observe(market):
    phase, time, position = market
    return jnp.concatenate([wave((phase + time)[:, None] * PERIODS), position[:, None]], -1)


def market_step(market, action, fresh):
    """The next state, what is observed before a reset, the reward, and which episodes ended."""
    phase, time, position = market
    place = (phase + time) * 0.01
    change = wave(place) + 0.5 * wave(2 * place) + 0.5 * wave(3 * place)
    reward = action * change - COST * jnp.abs(action - position)
    after = (phase, time + 1, action)
    done = time + 1 == EPISODE
    started = (jnp.where(done, fresh, phase), jnp.where(done, 0, time + 1), jnp.where(done, 0, action))
    return started, after, reward, done


# Training.


def lower(values):
    """Quantiles and mean of the critic with the lower mean."""
    both = values.reshape(*values.shape[:-1], 2, QUANTILES + 1)
    second = both[..., 1, QUANTILES] < both[..., 0, QUANTILES]
    return jnp.where(second[..., None], both[..., 1, :], both[..., 0, :])


def value_of(values, scalar):
    return values[..., 0] if scalar else lower(values)[..., QUANTILES]


def sorted_rows(quantiles):
    """By the rank of each quantile, which vectorises; lax.sort calls a comparison."""
    if TUNE["sort"] == "sort":
        return lax.sort(quantiles, dimension=1)
    return quantiles


def draws(outputs, levels):
    """Returns at levels of a critic's distribution, with its exponential tails."""
    quantiles, mean = sorted_rows(outputs[..., :QUANTILES]), outputs[..., QUANTILES]
    ln3 = math.log(3)
    low = (quantiles[:, 1] - quantiles[:, 0]) / ln3
    high = (quantiles[:, -1] - quantiles[:, -2]) / ln3
    moved = mean - (quantiles.mean(-1) + (high - low) / (2 * QUANTILES))
    position = levels * QUANTILES - 0.5
    below = jnp.clip(position.astype(jnp.int32), 0, QUANTILES - 2)
    first = jnp.take_along_axis(quantiles, below, 1)
    after = jnp.take_along_axis(quantiles, below + 1, 1)
    inside = first + (after - first) * (jnp.clip(position, 0, QUANTILES - 1) - below)
    share = lambda v: jnp.log(jnp.maximum(2 * QUANTILES * v, 0.001))
    tail = jnp.where(position < 0, low[:, None] * share(levels), 0)
    tail = jnp.where(position > QUANTILES - 1, -high[:, None] * share(1 - levels), tail)
    return inside + tail + moved[:, None]


class Training:
    def __init__(self, workload, critic):
        self.shape = SHAPES[workload]
        self.count, self.steps = self.shape[0], self.shape[1]
        self.scalar = critic == "scalar"
        outputs = 2 if self.scalar else 1 + 2 * (QUANTILES + 1)
        parameters = initial(self.shape, jax.random.key(1), outputs)
        zeros = jax.tree.map(jnp.zeros_like, parameters)
        hidden = jnp.zeros((self.count, self.shape[4]))
        self.state = dict(
            key=jax.random.key(2),
            parameters=parameters,
            moments=(zeros, jax.tree.map(jnp.copy, zeros)),
            updates=jnp.zeros(()),
            market=(jax.random.uniform(jax.random.key(3), (self.count,), maxval=1000.0), jnp.zeros(self.count), jnp.zeros(self.count)),
            memory=(hidden, jnp.copy(hidden)),
            starts=jnp.ones(self.count),
            normaliser=(jnp.ones(()), jnp.zeros(FEATURES), jnp.ones(FEATURES)),
            scale=(jnp.zeros(()), jnp.ones(())),
        )
        self.iterate = jax.jit(self._iterate, donate_argnums=0 if TUNE["donate"] else ())

    def cycle(self):
        self.state = jax.block_until_ready(self.iterate(self.state))

    def _act(self, parameters, seen, memory):
        if "lstm" not in parameters:
            return memory, *heads(parameters, seen)
        w, recurrent, bias = parameters["lstm"]
        memory, _ = lstm_step(recurrent, memory, seen @ w + bias, None)
        return memory, *heads(parameters, memory[0])

    def _rollout(self, state, noise, fresh):
        parameters = state["parameters"]
        sigma = deviation(parameters)
        _, mean, variance = state["normaliser"]
        inverse = lax.rsqrt(variance + 1e-8)
        normal = lambda market: jnp.clip((observe(market) - mean) * inverse, -10, 10)

        def step(carry, random):
            market, memory, starts = carry
            kept = (1 - starts)[:, None]
            memory = (memory[0] * kept, memory[1] * kept)
            seen = normal(market)
            after, action_mean, values = self._act(parameters, seen, memory)
            raw = action_mean + sigma * jnp.clip(random[0], -8, 8)
            started, ended, reward, done = market_step(market, jnp.tanh(raw), random[1])
            peek = lambda: self._act(parameters, normal(ended), after)[2]
            terminal = lax.cond(done.any(), peek, lambda: values)
            row = dict(observations=seen, raw=raw, mean=action_mean, values=values, terminal=terminal, reward=reward, done=done)
            return (started, after, done.astype(jnp.float32)), dict(row, starts=starts)

        def window(carry, random):
            kept = (1 - carry[2])[:, None]
            first = (carry[1][0] * kept, carry[1][1] * kept)
            carry, rows = lax.scan(step, carry, random, unroll=TUNE["act_unroll"])
            return carry, (first, rows)

        blocks = self.steps // WINDOW
        random = (noise.reshape(blocks, WINDOW, -1), fresh.reshape(blocks, WINDOW, -1))
        carry, (memory, rows) = lax.scan(window, (state["market"], state["memory"], state["starts"]), random)
        rows = jax.tree.map(lambda a: a.reshape(self.steps, *a.shape[2:]), rows)
        rows["logp"] = log_probability(rows["raw"], rows["mean"], sigma)
        kept = (1 - carry[2])[:, None]
        last = self._act(parameters, normal(carry[0]), (carry[1][0] * kept, carry[1][1] * kept))[2]
        return carry, memory, rows, last

    def _targets(self, state, rows, last, uniforms):
        """GAE with returns, and the particles of the return's distribution."""
        mean, std = state["scale"]
        following = jnp.concatenate([rows["values"][1:], last[None]])
        done = rows["done"]
        following = jnp.where(done[..., None], rows["terminal"], following)
        values = mean + std * value_of(rows["values"], self.scalar)
        after = mean + std * value_of(following, self.scalar)
        deltas = rows["reward"] + GAMMA * after - values

        def back(carry, row):
            delta, done = row
            carry = delta + GAMMA * LAMBDA * jnp.where(done, 0, carry)
            return carry, carry

        advantages = lax.scan(back, jnp.zeros(self.count), (deltas, done), reverse=True)[1]
        returns = advantages + values
        if self.scalar:
            return advantages, returns, returns[..., None]
        levels = uniforms[..., None] + jnp.arange(PARTICLES) / PARTICLES
        levels = jnp.where(levels < 1, levels, levels - 1)
        cut = done.at[-1].set(True)[..., None]
        drawn = jnp.where(cut, levels, (levels - LAMBDA) / (1 - LAMBDA))
        flat = lambda a: a.reshape(-1, a.shape[-1])
        distribution = draws(flat(lower(following)), jnp.clip(flat(drawn), 0, 1)).reshape(levels.shape)
        distribution = mean + std * distribution

        def particle(carry, row):
            reward, drawn, use = row
            carry = reward[:, None] + GAMMA * jnp.where(use, drawn, carry)
            return carry, carry

        rows = (rows["reward"], distribution, cut | (levels >= LAMBDA))
        return advantages, returns, lax.scan(particle, distribution[-1], rows, reverse=True)[1]

    def _iterate(self, state):
        count, steps, batch, epochs, _, _, memory = self.shape
        keys = jax.random.split(state["key"], 5)
        noise = jax.random.normal(keys[1], (steps, count))
        fresh = jax.random.uniform(keys[2], (steps, count), maxval=1000.0)
        (market, carried, starts), first, rows, last = self._rollout(state, noise, fresh)
        uniforms = jax.random.uniform(keys[3], (steps, count))
        advantages, returns, particles = self._targets(state, rows, last, uniforms)
        mean, std = state["scale"]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        kept = jnp.concatenate([jnp.ones((1, count)), 1 - rows["starts"][1:]])

        def windows(a):  # [time, env, ...] to [step, window, ...]
            a = a.reshape(steps // WINDOW, WINDOW, count, *a.shape[2:])
            return jnp.swapaxes(a, 0, 1).reshape(WINDOW, -1, *a.shape[3:])

        data = {name: windows(rows[name]) for name in ("observations", "raw", "logp")}
        data |= dict(advantage=windows(advantages), target=windows((returns - mean) / std))
        data |= dict(particles=windows((particles - mean) / std), kept=windows(kept))
        data["kept"] = data["kept"].at[0].set(1)  # the states at the starts of windows have been cleared
        total = steps // WINDOW * count
        each = batch // WINDOW
        shuffles = jax.vmap(lambda key: jax.random.permutation(key, total))(jax.random.split(keys[4], epochs))
        states = [part.reshape(total, -1) for part in first]

        def minibatch(carry, chosen):
            parameters, moments, updates = carry
            picked = {name: a[:, chosen] for name, a in data.items()}
            if memory:
                picked |= dict(hidden=states[0][chosen], cell=states[1][chosen])
            gradient = jax.grad(functools.partial(loss, scalar=self.scalar))(parameters, picked)
            updates = updates + 1
            parameters, moments = adam(parameters, gradient, moments, updates)
            return (parameters, moments, updates), None

        carry = (state["parameters"], state["moments"], state["updates"])
        (parameters, moments, updates), _ = lax.scan(minibatch, carry, shuffles.reshape(-1, each))
        return dict(
            key=keys[0],
            parameters=parameters,
            moments=moments,
            updates=updates,
            market=market,
            memory=carried,
            starts=starts,
            normaliser=self._observed(state["normaliser"], rows["observations"]),
            scale=(0.8 * mean + 0.2 * particles.mean(), 0.8 * std + 0.2 * jnp.maximum(particles.std(), 0.003)),
        )

    @staticmethod
    def _observed(normaliser, seen):
        """Adds the rollout's observations, which are normalised, to the statistics."""
        count, mean, variance = normaliser
        raw = seen.reshape(-1, FEATURES) * jnp.sqrt(variance + 1e-8) + mean
        more = raw.shape[0]
        share = more / (count + more)
        gap = raw.mean(0) - mean
        spread = (1 - share) * variance + share * raw.var(0) + share * (1 - share) * gap * gap
        return count + more, mean + share * gap, spread


def main(workload, threads, seconds, critic):
    from timing import report, time_cycles

    report("jax" if critic == "same" else "jax-scalar", workload, threads, *time_cycles(Training(workload, critic), seconds))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "same")
