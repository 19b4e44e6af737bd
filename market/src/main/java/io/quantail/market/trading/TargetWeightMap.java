package io.quantail.market.trading;

import io.quantail.env.ActionSpace;
import java.util.Arrays;

/**
 * Conversion of actions to target weights: the weight of the symbol in the account from the next
 * open on.
 */
public sealed interface TargetWeightMap {

  /** The action space. */
  ActionSpace space();

  /** The target weight of an action. */
  double weight(float[] action);

  /** The action whose weight is nearest to the given one. */
  float[] action(double weight);

  /** The smallest target weight. */
  double minWeight();

  /** The largest target weight. */
  double maxWeight();

  /**
   * Actions from −1 to 1 for any weight: the action times {@code maxWeight}; if long-only, −1 is a
   * weight of 0 and 1 one of {@code maxWeight}.
   *
   * @param longOnly whether short positions are excluded
   * @param maxWeight largest absolute weight
   */
  record Continuous(boolean longOnly, double maxWeight) implements TargetWeightMap {
    @Override
    public ActionSpace space() {
      return new ActionSpace.Box(new float[] {-1}, new float[] {1});
    }

    @Override
    public double weight(float[] action) {
      double bounded = Math.max(-1, Math.min(1, action[0]));
      return maxWeight * (longOnly ? (bounded + 1) / 2 : bounded);
    }

    @Override
    public float[] action(double weight) {
      double share = Math.max(minWeight(), Math.min(maxWeight, weight)) / maxWeight;
      return new float[] {(float) (longOnly ? 2 * share - 1 : share)};
    }

    @Override
    public double minWeight() {
      return longOnly ? 0 : -maxWeight;
    }
  }

  /**
   * Discrete actions for fixed weights.
   *
   * @param levels weight of each action
   */
  record Levels(double... levels) implements TargetWeightMap {
    public Levels {
      levels = levels.clone();
    }

    @Override
    public double[] levels() {
      return levels.clone();
    }

    @Override
    public ActionSpace space() {
      return new ActionSpace.Discrete(levels.length);
    }

    @Override
    public double weight(float[] action) {
      return levels[(int) action[0]];
    }

    @Override
    public float[] action(double weight) {
      int nearest = 0;
      for (int i = 1; i < levels.length; i++) {
        if (Math.abs(levels[i] - weight) < Math.abs(levels[nearest] - weight)) {
          nearest = i;
        }
      }
      return new float[] {nearest};
    }

    @Override
    public double minWeight() {
      return Arrays.stream(levels).min().orElseThrow();
    }

    @Override
    public double maxWeight() {
      return Arrays.stream(levels).max().orElseThrow();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Levels that && Arrays.equals(levels, that.levels);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(levels);
    }

    @Override
    public String toString() {
      return "Levels" + Arrays.toString(levels);
    }
  }
}
