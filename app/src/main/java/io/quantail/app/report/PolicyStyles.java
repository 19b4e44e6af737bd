package io.quantail.app.report;

import io.quantail.market.evaluation.BaselineComparison;

/** Names and colours of the agent and its baselines. */
final class PolicyStyles {
  private PolicyStyles() {}

  static String name(BaselineComparison.Entry entry) {
    return BaselineComparison.title(entry.result().policy());
  }

  /** The name of its colour in {@code report.js}. */
  static String tone(BaselineComparison.Entry entry) {
    return entry.result().policy();
  }

  static BaselineComparison.Entry hold(BaselineComparison comparison) {
    return comparison.entry(BaselineComparison.BUY_AND_HOLD);
  }

  /** Whether a policy is shown at first: the agent and buy-and-hold are. */
  static boolean compared(BaselineComparison.Entry entry) {
    String policy = entry.result().policy();
    return policy.equals(BaselineComparison.AGENT)
        || policy.equals(BaselineComparison.BUY_AND_HOLD);
  }
}
