package io.quantail.rollout;

import io.quantail.random.RandomStream;
import java.util.Locale;

/**
 * The distribution of the return from each step on, as K equally likely particles: what the critics
 * regress on.
 *
 * <p>The target of step t is the mixture {@code (1 - lambda) Z(s_{t+1}) + lambda target_{t+1}} of
 * what the critics predict next and the target that follows, discounted and moved by the reward.
 * Its expectation has the distribution of the return as fixed point for every lambda; that of GAE
 * returns, in which the future is replaced by its mean, is another distribution. One uniform number
 * U per step gives the levels {@code u_k = frac(U + k / K)}. Per environment, backwards in time, in
 * double precision and raw units:
 *
 * <pre>
 *   x[t,k] = r_t                                          terminated
 *          = r_t + gamma D_t(u_k)                         truncated, or last step of the rollout
 *          = r_t + gamma x[t+1,k]                         otherwise, u_k &lt; lambda
 *          = r_t + gamma D_t((u_k - lambda) / (1 - lambda))   otherwise
 * </pre>
 *
 * where {@code D_t} is the predicted distribution of what follows the step. A step that is both
 * terminated and truncated is terminated. With equal lambdas the mean of a particle over U is the
 * GAE return of its step.
 *
 * <p>See: Nam, Kim, Park, "GMAC: a distributional perspective on actor-critic framework", ICML
 * 2021, arXiv:2105.11366; one particle is their SR(lambda). {@code docs/results/distribution.md};
 * pinned by the vectors {@code targets_*} and by {@code ReturnTargetsTest}.
 *
 * @param count particles per step, K
 * @param particles [t, e, k] in raw units
 * @param drawnFraction share of particles that were drawn from the critics at their own step
 * @param endWeight mean of {@code gamma^n} over the particles, n the steps to the draw that ends
 *     them; 0 for those that end in a termination
 */
public record ReturnTargets(int count, double[] particles, double drawnFraction, double endWeight) {

  /** What the critics predict for the returns that follow each step, in raw units. */
  public interface Following {
    /** Selects the distribution of what follows a transition. */
    void select(int transition);

    /** The return at a level of the distribution that was selected. */
    double draw(double level);
  }

  /** One return per step, which replaces its future by the mean. */
  public static ReturnTargets ofMeans(double[] returns) {
    return new ReturnTargets(1, returns, 0, 0);
  }

  /** The uniform number of each transition of an update, a function of seed, update and place. */
  public static double[] uniforms(long seed, long update, int transitions) {
    RandomStream stream = RandomStream.of(seed, "return-targets", update);
    double[] uniforms = new double[transitions];
    for (int i = 0; i < transitions; i++) {
      uniforms[i] = stream.nextDouble();
    }
    return uniforms;
  }

  /** The level of a particle, {@code frac(U + k / K)}. */
  static double level(double uniform, int k, int count) {
    double level = uniform + (double) k / count;
    return level < 1 ? level : level - 1;
  }

  /**
   * The particles of a rollout.
   *
   * @param collected rewards and ends of episodes, checked to be finite
   * @param uniforms one number in [0, 1) per transition
   * @param count particles per step, at least 1
   * @param lambda trace decay, in [0, 1]
   * @throws IllegalArgumentException if a draw is not finite
   */
  public static ReturnTargets of(
      Gae.Input collected, Following following, double[] uniforms, int count, double lambda) {
    requireSizes(collected, uniforms, count, lambda);
    int size = collected.rewards().length;
    double[] particles = new double[size * count];
    double[] endWeights = new double[collected.environments() * count]; // of the step after
    long drawn = 0;
    double endWeight = 0;
    for (int index = size - 1; index >= 0; index--) {
      int environment = index % collected.environments() * count;
      boolean terminated = collected.terminated()[index];
      boolean cut = collected.truncated()[index] || index + collected.environments() >= size;
      boolean selected = false;
      for (int k = 0; k < count; k++) {
        double level = level(uniforms[index], k, count);
        double follows = 0;
        double weight = 0;
        if (!terminated && !cut && level < lambda) {
          follows = particles[(index + collected.environments()) * count + k];
          weight = collected.gamma() * endWeights[environment + k];
        } else if (!terminated) {
          if (!selected) {
            following.select(index);
            selected = true;
          }
          follows = following.draw(cut ? level : (level - lambda) / (1 - lambda));
          weight = collected.gamma();
          drawn++;
          requireFinite(follows, index, collected.environments());
        }
        particles[index * count + k] = collected.rewards()[index] + collected.gamma() * follows;
        endWeights[environment + k] = weight;
        endWeight += weight;
      }
    }
    double all = particles.length;
    return new ReturnTargets(count, particles, drawn / all, endWeight / all);
  }

  private static void requireSizes(
      Gae.Input collected, double[] uniforms, int count, double lambda) {
    if (uniforms.length != collected.rewards().length) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "uniforms must hold one number per reward, %d, but hold %d",
              collected.rewards().length,
              uniforms.length));
    }
    if (count < 1) {
      throw new IllegalArgumentException("a target needs at least one particle, was " + count);
    }
    if (!(lambda >= 0 && lambda <= 1)) {
      throw new IllegalArgumentException("the trace decay must be in [0, 1], was " + lambda);
    }
  }

  private static void requireFinite(double draw, int index, int environments) {
    if (!Double.isFinite(draw)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the critics predict the return %s after step %d of environment %d; targets are not"
                  + " computed from it, find where it comes from",
              draw,
              index / environments,
              index % environments));
    }
  }
}
