package io.quantail.app.report;

import io.quantail.market.evaluation.BaselineComparison;
import java.util.Arrays;

/** Names of the agent and its baselines. */
final class PolicyStyles {
  private PolicyStyles() {}

  static String name(BaselineComparison.Entry entry) {
    return BaselineComparison.title(entry.result().policy());
  }

  static BaselineComparison.Entry hold(BaselineComparison comparison) {
    return comparison.entry(BaselineComparison.BUY_AND_HOLD);
  }

  /** The number of filled orders; a dash if the account has traded and its orders were not kept. */
  static String fills(BaselineComparison.Entry entry) {
    int orders = entry.result().trades().size();
    boolean traded = Arrays.stream(entry.result().series().turnover()).anyMatch(value -> value > 0);
    return orders == 0 && traded ? "–" : NumberText.count(orders);
  }

  /** Whether a policy is shown at first: the agent, buy-and-hold and the agent's mean weight. */
  static boolean compared(String policy) {
    return policy.equals(BaselineComparison.AGENT)
        || policy.equals(BaselineComparison.BUY_AND_HOLD)
        || policy.equals(BaselineComparison.EXPOSURE_MATCHED);
  }
}
