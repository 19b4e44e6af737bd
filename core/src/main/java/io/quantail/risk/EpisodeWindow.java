package io.quantail.risk;

import io.quantail.rollout.Gae;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The undiscounted reward sums of the last episodes, for a limit on whole episodes.
 *
 * <p>An episode counts in the rollout in which it ends, terminated or truncated. A tail of few
 * episodes says little, so the window decides nothing before it holds {@code ceil(20 / alpha)} of
 * them, twenty in the tail; it keeps that many, or all of the last rollout if these are more.
 *
 * <p>{@code EpisodeWindowTest} pins it; requirement CVAR-6.
 */
public final class EpisodeWindow implements Restorable {
  /** Episodes that the tail of a full window has. */
  public static final int TAIL_EPISODES = 20;

  private final int required;
  private double[] totals = {}; // oldest first

  /**
   * @param alpha fraction of the worst episodes
   */
  public EpisodeWindow(double alpha) {
    required = (int) Math.min(Integer.MAX_VALUE, Math.ceil(TAIL_EPISODES / alpha));
  }

  /**
   * Adds the episodes that end in a rollout, in the order of time and environment.
   *
   * @param running reward sum of each environment's episode before the rollout
   * @return the total of the episode that each transition belongs to; NaN where it goes on beyond
   *     the rollout
   */
  public double[] add(Gae.Input collected, double[] running) {
    int environments = collected.environments();
    double[] sums = running.clone();
    double[] perStep = new double[collected.rewards().length];
    List<Double> ended = new ArrayList<>();
    for (int index = 0; index < perStep.length; index++) {
      int environment = index % environments;
      sums[environment] += collected.rewards()[index];
      perStep[index] = Double.NaN;
      if (ends(collected, index)) {
        perStep[index] = sums[environment];
        ended.add(sums[environment]);
        sums[environment] = 0;
      }
    }
    for (int index = perStep.length - environments - 1; index >= 0; index--) {
      if (!ends(collected, index)) {
        perStep[index] = perStep[index + environments];
      }
    }
    keep(ended.stream().mapToDouble(Double::doubleValue).toArray());
    return perStep;
  }

  private static boolean ends(Gae.Input collected, int index) {
    return collected.terminated()[index] || collected.truncated()[index];
  }

  private void keep(double[] latest) {
    double[] all = Arrays.copyOf(totals, totals.length + latest.length);
    System.arraycopy(latest, 0, all, totals.length, latest.length);
    int kept = Math.max(required, latest.length);
    totals = Arrays.copyOfRange(all, Math.max(0, all.length - kept), all.length);
  }

  /** How many episodes are missing until the window decides; 0 if it does. */
  public int missing() {
    return Math.max(0, required - totals.length);
  }

  /** The totals in the window, oldest first. */
  public double[] totals() {
    return totals.clone();
  }

  @Override
  public void save(StateMap state) {
    state.putDoubles("episodes", totals, totals.length);
  }

  /** {@inheritDoc} A snapshot of a build without this window holds no episodes. */
  @Override
  public Runnable restoring(StateMap state) {
    double[] saved = state.contains("episodes") ? state.doubles("episodes") : new double[0];
    return () -> totals = saved;
  }
}
