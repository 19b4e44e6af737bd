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
   * Reports the actions, those of a product part by part.
   *
   * @param actions as the environments took them
   * @param masks whether each choice was allowed; empty if nothing can be masked
   */
  public static void report(Metrics metrics, ActionSpace space, float[] actions, boolean[] masks) {
    boolean several = space instanceof ActionSpace.Product;
    int first = 0;
    for (int i = 0; i < space.parts().size(); i++) {
      ActionSpace part = space.parts().get(i);
      String prefix = several ? "rollout/part" + i + "/" : "rollout/";
      float[] own = columns(actions, space.size(), first, part.size());
      if (part instanceof ActionSpace.Discrete discrete) {
        put(metrics, prefix + "action_share/", indices(discrete, own));
      } else if (part instanceof ActionSpace.Box box) {
        put(metrics, prefix + "action_tenth_share/", tenths(box, own));
      }
      first += part.size();
    }
    if (masks.length > 0) {
      int masked = 0;
      for (boolean allowed : masks) {
        masked += allowed ? 0 : 1;
      }
      metrics.put("rollout/masked_share", (double) masked / masks.length);
    }
  }

  /** Some of the numbers of each row. */
  private static float[] columns(float[] actions, int width, int first, int count) {
    if (count == width) {
      return actions;
    }
    float[] columns = new float[actions.length / width * count];
    for (int row = 0; row < actions.length / width; row++) {
      System.arraycopy(actions, row * width + first, columns, row * count, count);
    }
    return columns;
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
