package io.quantail.market.setup;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import io.quantail.market.trading.ActionMap;
import java.util.List;

/**
 * Actions of an agent; section {@code market.action}.
 *
 * @param kind any weight, or one of {@code levels}; default {@code continuous}
 * @param longOnly whether weights below 0 (short positions) are excluded; default true
 * @param maxWeight largest absolute weight; in (0, 1]; default 1
 * @param levels the weights of kind {@code levels}, at least two, each within the range of {@code
 *     longOnly} and {@code maxWeight}; default {@code [0, 0.5, 1]}
 */
public record ActionSettings(Kind kind, boolean longOnly, double maxWeight, List<Double> levels) {

  /** Kinds of actions. */
  public enum Kind {
    CONTINUOUS,
    LEVELS
  }

  public ActionSettings {
    Check.positiveFraction("market.action.maxWeight", maxWeight);
    if (levels.size() < 2) {
      throw new ConfigException(
          "market.action.levels must have at least 2 weights, had " + levels.size());
    }
    if (kind == Kind.LEVELS) {
      for (int i = 0; i < levels.size(); i++) {
        double low = longOnly ? 0 : -maxWeight;
        Check.within("market.action.levels[" + i + "]", levels.get(i), low, maxWeight);
      }
    }
  }

  /** The default settings. */
  public static ActionSettings defaults() {
    return new ActionSettings(Kind.CONTINUOUS, true, 1, List.of(0.0, 0.5, 1.0));
  }

  /** The conversion of actions to target weights. */
  public ActionMap map() {
    return switch (kind) {
      case CONTINUOUS -> new ActionMap.Continuous(longOnly, maxWeight);
      case LEVELS ->
          new ActionMap.Levels(levels.stream().mapToDouble(Double::doubleValue).toArray());
    };
  }
}
