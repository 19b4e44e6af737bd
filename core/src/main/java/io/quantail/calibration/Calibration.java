package io.quantail.calibration;

import io.quantail.config.RiskConfig;
import io.quantail.rollout.Rollout;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import io.quantail.value.Critic;
import io.quantail.value.ReturnScale;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Compares the returns of training with the distributions that the critics predicted while acting.
 *
 * <p>A prediction is compared when its episode terminates or when at least {@link
 * RealisedReturns#horizon} rewards of its episode are known; all rewards that are known by then
 * count, and the open rest counts as 0. A prediction whose horizon lies beyond the rollout waits:
 * its distribution, return scale and partial sum are state of the run. It is dropped if its episode
 * is truncated before. Measurements are pooled until they are worth {@value #ENOUGH} independent
 * predictions; then they are reported, and a new pool begins.
 *
 * <p>Only realised returns show calibration: targets that contain the critics' own predictions
 * agree with any critic. With gamma 1 the horizon is infinite, so only terminated episodes count,
 * and every episode is worth one independent prediction.
 *
 * <p>At most {@value #MOST_WAITING} predictions wait. When there would be more (many environments
 * with a gamma near 1), only every second step of an episode is compared from then on, then every
 * fourth, and so on; {@link CalibrationSample#independent(double, long, long)} accounts for the
 * distance. {@code CalibrationTest} pins all of this.
 */
public final class Calibration implements Restorable {
  /** Independent predictions that a measurement needs. */
  public static final int ENOUGH = 200;

  static final int MOST_WAITING = 32_768;

  private final Critic critic;
  private final double gamma;
  private final long horizon;
  private final CalibrationSample sample;
  private final WaitingPredictions waiting;
  private final long[] ages; // steps of the running episode of each environment
  private long observed; // rollouts
  private long longest; // steps of the longest episode
  private long stride = 1; // compared is every such step of an episode

  /**
   * Nothing has been observed yet.
   *
   * @param critic reads predictions; must not be used by another thread
   * @param environments environments of a rollout
   * @param gamma discount
   * @param risk fraction of the tail, and how the CVaR is read from quantiles
   */
  public Calibration(Critic critic, int environments, double gamma, RiskConfig risk) {
    this.critic = critic;
    this.gamma = gamma;
    horizon = RealisedReturns.horizon(gamma);
    sample = new CalibrationSample(critic, risk);
    waiting = new WaitingPredictions(environments, critic.outputs());
    ages = new long[environments];
  }

  /**
   * The transitions of a rollout; transition (t, e) is at {@code t * environments + e}.
   *
   * @param rewards raw rewards
   * @param terminated whether the episode ended with the transition
   * @param truncated whether it was cut off after the transition
   * @param outputs of all critics while acting, [t, e, critic, output], normalised units
   */
  public record Transitions(
      double[] rewards, boolean[] terminated, boolean[] truncated, float[] outputs) {}

  /**
   * Takes in a rollout.
   *
   * @param rollout the next one of the same environments
   * @param scale of its predictions
   */
  public CalibrationReport observe(Rollout rollout, ReturnScale scale) {
    return observe(
        new Transitions(
            rollout.rewards(), rollout.terminated(), rollout.truncated(), rollout.criticOutputs()),
        scale);
  }

  /**
   * Takes in the transitions of a rollout.
   *
   * @param next the rollout after the last one
   * @param scale of its predictions
   */
  public CalibrationReport observe(Transitions next, ReturnScale scale) {
    RealisedReturns realised =
        RealisedReturns.of(ages.length, next.rewards(), next.terminated(), next.truncated(), gamma);
    int before = sample.size();
    observed++;
    waiting.retain(index -> stillWaits(index, realised));
    for (int environment = 0; environment < ages.length; environment++) {
      observe(environment, next, realised, scale);
    }
    int compared = sample.size() - before;
    sample.addIndependent(
        gamma == 1
            ? count(next.terminated())
            : CalibrationSample.independent(gamma, compared, stride));
    thin();
    return report(next, compared);
  }

  /** Compares a prediction of an earlier rollout, drops it, or lets it wait on. */
  private boolean stillWaits(int index, RealisedReturns realised) {
    int first = waiting.environment(index); // the first transition of its environment
    long before = waiting.known(index);
    long known = before + realised.known(first);
    double sum = waiting.sum(index) + StrictMath.pow(gamma, before) * realised.sum(first);
    if (realised.terminates(first) || known >= horizon) {
      long updates = observed - waiting.update(index);
      sample.add(waiting.outputs(), waiting.offset(index), waiting.scale(index), sum, updates);
      return false;
    }
    waiting.extend(index, sum, known);
    return realised.isOpen(first);
  }

  private void observe(
      int environment, Transitions next, RealisedReturns realised, ReturnScale scale) {
    int width = next.outputs().length / next.rewards().length;
    float[] row = new float[width];
    for (int i = environment; i < next.rewards().length; i += ages.length) {
      boolean counts = realised.counts(i, horizon);
      if (ages[environment] % stride == 0 && (counts || realised.isOpen(i))) {
        System.arraycopy(next.outputs(), i * width, row, 0, width);
        int offset = critic.lower(row);
        if (counts) {
          sample.add(row, offset, scale, realised.sum(i), 0);
        } else {
          waiting.add(
              environment, row, offset, scale, realised.sum(i), realised.known(i), observed);
        }
      }
      ages[environment]++;
      longest = Math.max(longest, ages[environment]);
      if (next.terminated()[i] || next.truncated()[i]) {
        ages[environment] = 0;
      }
    }
  }

  /** Doubles the distance between compared steps until no more wait than may. */
  private void thin() {
    while (waiting.size() > MOST_WAITING) {
      stride *= 2;
      waiting.retain(index -> age(index) % stride == 0);
    }
  }

  /** Steps of the episode before a waiting prediction. */
  private long age(int index) {
    return ages[waiting.environment(index)] - waiting.known(index);
  }

  private CalibrationReport report(Transitions next, int compared) {
    long transitions = next.rewards().length;
    long steps = transitions / ages.length;
    double independent = sample.independent();
    Optional<CalibrationSummary> pooled = Optional.empty();
    if (independent >= ENOUGH) {
      pooled = sample.summary();
      sample.clear();
    }
    return new CalibrationReport(
        (double) compared * stride / transitions,
        independent,
        pooled,
        new CalibrationReport.Episodes(
            horizon, longest, count(next.truncated()) > 0, (horizon - 1) / steps + 1));
  }

  private static long count(boolean[] flags) {
    return IntStream.range(0, flags.length).filter(i -> flags[i]).count();
  }

  /** The predictions that were compared since the last measurement. */
  CalibrationSample sample() {
    return sample;
  }

  /** The number of predictions that wait for their returns. */
  public int waiting() {
    return waiting.size();
  }

  /** Drops the predictions that wait: their episodes do not go on. */
  public void abandonEpisodes() {
    waiting.clear();
    Arrays.fill(ages, 0);
  }

  /** Forgets everything, as for another agent. */
  public void reset() {
    abandonEpisodes();
    sample.clear();
    observed = 0;
    longest = 0;
    stride = 1;
  }

  @Override
  public void save(StateMap state) {
    state.putLongs("counts", new long[] {observed, longest, stride});
    state.putLongs("ages", ages, ages.length);
    waiting.save(state.child("waiting"));
    sample.save(state.child("sample"));
  }

  /**
   * A state of a build that did not measure calibration has no entries: measurement begins anew.
   */
  @Override
  public Runnable restoring(StateMap state) {
    if (state.names().isEmpty()) {
      return this::reset;
    }
    long[] counts = state.longs("counts", 3);
    long[] savedAges = state.longs("ages", ages.length);
    Runnable predictions = waiting.restoring(state.child("waiting"));
    Runnable levels = sample.restoring(state.child("sample"));
    return () -> {
      observed = counts[0];
      longest = counts[1];
      stride = Math.max(1, counts[2]);
      System.arraycopy(savedAges, 0, ages, 0, ages.length);
      predictions.run();
      levels.run();
    };
  }
}
