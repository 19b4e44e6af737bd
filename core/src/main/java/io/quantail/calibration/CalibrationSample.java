package io.quantail.calibration;

import io.quantail.config.RiskConfig;
import io.quantail.state.Restorable;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Levels of realised returns under the distributions that were predicted for them.
 *
 * <p>The level of a return is the predicted probability of a return at or below it (probability
 * integral transform, PIT). Levels of calibrated predictions are uniform on [0, 1].
 *
 * <p>See: Dawid, "Statistical theory: the prequential approach", Journal of the Royal Statistical
 * Society A 147, 1984; Diebold, Gunther, Tay, "Evaluating density forecasts", International
 * Economic Review 39, 1998. Pinned by the vector {@code calibration_of_a_rollout}.
 */
public final class CalibrationSample implements Restorable {
  private final Critic critic;
  private final double alpha;
  private final RiskConfig.CvarMethod method;
  private float[] levels = new float[64];
  private int size;
  private double independent;
  private long tail; // levels of at most alpha
  private double tailRealised; // sums over them
  private double tailPredicted;
  private long lag;

  /**
   * An empty sample.
   *
   * @param critic reads predictions; must not be used by another thread
   * @param risk fraction of the tail, and how the CVaR is read from quantiles
   */
  public CalibrationSample(Critic critic, RiskConfig risk) {
    this.critic = critic;
    this.alpha = risk.alpha();
    this.method = risk.method();
  }

  /**
   * The number of independent predictions that neighbours are worth. Their returns overlap, with an
   * autocorrelation of {@code gamma^k} at distance k, which leaves a fraction of {@code (1 -
   * gamma^stride) / (1 + gamma^stride)}. With gamma 1 they are worth nothing beyond their episodes,
   * which the caller counts.
   *
   * @param gamma discount
   * @param steps number of predictions
   * @param stride distance between neighbours
   */
  public static double independent(double gamma, long steps, long stride) {
    double correlation = StrictMath.pow(gamma, stride);
    return steps * (1 - correlation) / (1 + correlation);
  }

  /**
   * Compares a prediction with the return that followed. A prediction that is not finite has no
   * level and is left out.
   *
   * @param outputs of the critics, of which the prediction begins at {@code offset}
   * @param scale converts returns to the units of the prediction
   * @param realised the return in raw units
   * @param updates number of updates since the prediction
   */
  public void add(float[] outputs, int offset, ReturnScale scale, double realised, long updates) {
    critic.read(outputs, offset);
    double level = critic.level(scale.normalize(realised));
    if (Double.isNaN(level)) {
      return;
    }
    if (size == levels.length) {
      levels = Arrays.copyOf(levels, 2 * size);
    }
    levels[size++] = (float) level;
    lag += updates;
    if (level <= alpha) {
      tail++;
      tailRealised += realised;
      tailPredicted += scale.denormalize(critic.cvar(alpha, method));
    }
  }

  /** Adds to the number of independent predictions. */
  public void addIndependent(double count) {
    independent += count;
  }

  /** The number of predictions compared. */
  public int size() {
    return size;
  }

  /** The number of independent predictions. */
  public double independent() {
    return independent;
  }

  /** The levels in the order in which they were added. */
  public double[] levels() {
    double[] copy = new double[size];
    Arrays.setAll(copy, i -> levels[i]);
    return copy;
  }

  /** The fraction of the returns whose level is at most the given one; NaN for an empty sample. */
  public double coverage(double level) {
    int below = 0;
    for (int i = 0; i < size; i++) {
      below += levels[i] <= (float) level ? 1 : 0;
    }
    return (double) below / size;
  }

  /** The mean of {@code |PIT_(i) - (i + 0.5) / n|} over the sorted levels. */
  private double deviation() {
    float[] sorted = Arrays.copyOf(levels, size);
    Arrays.sort(sorted);
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += Math.abs(sorted[i] - (i + 0.5) / size);
    }
    return sum / size;
  }

  /** All measures; empty if nothing was compared. */
  public Optional<CalibrationSummary> summary() {
    return size == 0
        ? Optional.empty()
        : Optional.of(
            new CalibrationSummary(
                size,
                independent,
                coverage(0.05),
                coverage(0.20),
                coverage(0.50),
                coverage(0.95),
                deviation(),
                tail == 0 ? null : tailRealised / tail,
                tail == 0 ? null : tailPredicted / tail,
                (double) lag / size));
  }

  /** Removes everything. */
  public void clear() {
    size = 0;
    independent = 0;
    tail = 0;
    tailRealised = 0;
    tailPredicted = 0;
    lag = 0;
  }

  @Override
  public void save(StateMap state) {
    state.putFloats("levels", Arrays.copyOf(levels, size));
    state.putDoubles("sums", new double[] {independent, tailRealised, tailPredicted});
    state.putLongs("counts", new long[] {tail, lag});
  }

  @Override
  public Runnable restoring(StateMap state) {
    float[] savedLevels = state.floats("levels");
    double[] sums = state.doubles("sums", 3);
    long[] counts = state.longs("counts", 2);
    if (counts[0] < 0 || counts[0] > savedLevels.length || !(sums[0] >= 0)) {
      throw new StateException(
          String.format(
              Locale.ROOT,
              "a calibration sample of %d levels cannot have %d in the tail and be worth %s",
              savedLevels.length,
              counts[0],
              sums[0]));
    }
    return () -> {
      size = savedLevels.length;
      levels = Arrays.copyOf(savedLevels, Math.max(64, size));
      independent = sums[0];
      tailRealised = sums[1];
      tailPredicted = sums[2];
      tail = counts[0];
      lag = counts[1];
    };
  }
}
