package io.quantail.telemetry;

import io.quantail.env.ActionSpace;
import io.quantail.metrics.Metrics;

/**
 * Reports the actions of a rollout as a histogram; reads only.
 *
 * <p>{@code ActionTelemetryTest} pins it.
 */
public final class ActionTelemetry {
  /** Intervals of a box. */
  private static final int TENTHS = 10;

  /** Groups into which a long list of actions is collected. */
  private static final int MOST_GROUPS = 20;

  private ActionTelemetry() {}

  /**
   * @param actions as the environments took them
   */
  public static void report(Metrics metrics, ActionSpace space, float[] actions) {
    if (space instanceof ActionSpace.Discrete discrete) {
      put(metrics, "rollout/action_share/", indices(discrete, actions));
    } else if (space instanceof ActionSpace.Box box) {
      put(metrics, "rollout/action_tenth_share/", tenths(box, actions));
    }
  }

  private static long[] indices(ActionSpace.Discrete space, float[] actions) {
    long[] counts = new long[Math.min(space.count(), MOST_GROUPS)];
    for (float action : actions) {
      counts[(int) (((long) action) * counts.length / space.count())]++;
    }
    return counts;
  }

  private static long[] tenths(ActionSpace.Box space, float[] actions) {
    float[] low = space.low();
    float[] high = space.high();
    long[] counts = new long[TENTHS];
    for (int i = 0; i < actions.length; i++) {
      int component = i % low.length;
      double share = (actions[i] - low[component]) / (high[component] - low[component]);
      counts[(int) Math.max(0, Math.min(TENTHS - 1, Math.floor(share * TENTHS)))]++;
    }
    return counts;
  }

  private static void put(Metrics metrics, String prefix, long[] counts) {
    double total = 0;
    for (long count : counts) {
      total += count;
    }
    for (int k = 0; k < counts.length; k++) {
      metrics.put(prefix + k, counts[k] / total);
    }
  }
}
