package io.quantail.nn;

import io.quantail.random.RandomStream;
import io.quantail.tensor.Tensor;
import java.util.List;

/**
 * Independent normal variables, optionally squashed into an interval.
 *
 * <p>With {@code a = f(x)}, {@code x ~ N(mean, sigma)}: {@code log p(a) = log N(x) - log f'(x)} and
 * {@code H(a) = H(x) + E[log f'(x)]}. The expectation is taken with the trapezoidal rule, which
 * converges geometrically for a normal weight, so it is exact to rounding and has a gradient.
 *
 * <p>See: Trefethen, Weideman, "The exponentially convergent trapezoidal rule", SIAM Review 56(3),
 * 2014. {@code GaussianTest} compares with the vectors and integrates the density.
 */
public final class Gaussian implements ActionDistribution {

  /** How a raw action is brought into an interval. */
  public enum Squashing {
    /** Not at all. */
    NONE,
    /** Onto (-1, 1). */
    TANH,
    /** Onto (0, 1). */
    SIGMOID;

    /** The squashed value of one raw action. */
    public double apply(double raw) {
      return switch (this) {
        case NONE -> raw;
        case TANH -> StrictMath.tanh(raw);
        case SIGMOID -> 1.0 / (1.0 + StrictMath.exp(-raw));
      };
    }

    /** {@code log f'(x)} of one raw action. */
    double logDerivative(double raw) {
      return switch (this) {
        case NONE -> 0;
        case TANH -> 2 * LOG_2 - logistic(2 * raw);
        case SIGMOID -> -logistic(raw);
      };
    }

    /** Minus the logarithm of the derivative of the logistic function. */
    private static double logistic(double x) {
      double size = Math.abs(x);
      return size + 2 * StrictMath.log1p(StrictMath.exp(-size));
    }

    /** {@code log f'(x)} in the form that neither overflows nor loses its gradient. */
    Tensor logDerivative(Tensor raw) {
      return switch (this) {
        case NONE -> raw.mul(0);
        case TANH -> raw.add(raw.mul(-2).softplus()).add(-LOG_2).mul(-2);
        case SIGMOID -> raw.softplus().add(raw.neg().softplus()).neg();
      };
    }
  }

  private static final double LOG_2 = Math.log(2);
  private static final double HALF_LOG_2_PI = 0.5 * Math.log(2 * Math.PI);

  /** Draws further than this many sigma from the mean are brought back to it. */
  public static final double MAX_SIGMAS = 8;

  private static final int NODES_PER_SIDE = 40;
  private static final double NODE_SPACING = MAX_SIGMAS / NODES_PER_SIDE;

  private final Tensor mean; // [row, size]
  private final Tensor sigma; // [row, size]
  private final Squashing squashing;

  public Gaussian(Tensor mean, Tensor sigma, Squashing squashing) {
    this.mean = mean;
    this.sigma = sigma;
    this.squashing = squashing;
  }

  /** Mean before squashing, [row, size]. */
  public Tensor mean() {
    return mean;
  }

  /** Standard deviation before squashing, [row, size]. */
  public Tensor sigma() {
    return sigma.add(mean.mul(0));
  }

  @Override
  public Tensor logProbability(Tensor raw) {
    Tensor z = raw.sub(mean).div(sigma);
    Tensor base = z.square().mul(0.5).add(sigma.log()).add(HALF_LOG_2_PI).neg();
    return base.sub(squashing.logDerivative(raw)).sum(1);
  }

  @Override
  public Tensor entropy() {
    Tensor base = sigma.log().add(HALF_LOG_2_PI + 0.5).add(mean.mul(0)).sum(1);
    if (squashing == Squashing.NONE) {
      return base;
    }
    Tensor nodes = mean.likeThis(Quadrature.NODES); // [node]
    Tensor weights = mean.likeThis(Quadrature.WEIGHTS);
    Tensor raw = mean.unsqueeze(2).add(sigma.unsqueeze(2).mul(nodes)); // [row, size, node]
    return base.add(squashing.logDerivative(raw).mul(weights).sum(2).sum(1));
  }

  @Override
  public Tensor divergence(ActionDistribution other) {
    Gaussian that = (Gaussian) other;
    Tensor variance = that.sigma.square().mul(2);
    Tensor squares = sigma.square().add(mean.sub(that.mean).square());
    return that.sigma.log().sub(sigma.log()).add(squares.div(variance)).add(-0.5).sum(1);
  }

  @Override
  public Tensor parameters() {
    return Tensor.cat(List.of(mean, sigma()), 1);
  }

  @Override
  public float[] sample(RandomStream[] streams, int first) {
    float[] raw = mean.floats();
    float[] spread = sigma().floats();
    int size = (int) mean.size(1);
    for (int i = 0; i < raw.length; i++) {
      double z = streams[first + i / size].nextGaussian();
      raw[i] += (float) (spread[i] * limit(z));
    }
    return raw;
  }

  @Override
  public float[] mode() {
    return mean.floats();
  }

  static double limit(double z) {
    return Math.max(-MAX_SIGMAS, Math.min(MAX_SIGMAS, z));
  }

  /** Nodes and weights for the expectation over a standard normal variable. */
  private static final class Quadrature {
    static final double[] NODES = new double[2 * NODES_PER_SIDE + 1];
    static final double[] WEIGHTS = new double[NODES.length];

    static {
      double total = 0;
      for (int i = 0; i < NODES.length; i++) {
        NODES[i] = (i - NODES_PER_SIDE) * NODE_SPACING;
        WEIGHTS[i] = StrictMath.exp(-0.5 * NODES[i] * NODES[i]);
        total += WEIGHTS[i];
      }
      for (int i = 0; i < NODES.length; i++) {
        WEIGHTS[i] /= total;
      }
    }
  }
}
