package io.quantail.app.report;

import io.quantail.market.evaluation.BaselineComparison;

/** Names of the agent and its baselines. */
final class PolicyStyles {
  private PolicyStyles() {}

  static String name(BaselineComparison.Entry entry) {
    return BaselineComparison.title(entry.result().policy());
  }

  static BaselineComparison.Entry hold(BaselineComparison comparison) {
    return comparison.entry(BaselineComparison.BUY_AND_HOLD);
  }

  /** Whether a policy is shown at first: the agent, buy-and-hold and the agent's mean weight. */
  static boolean compared(String policy) {
    return policy.equals(BaselineComparison.AGENT)
        || policy.equals(BaselineComparison.BUY_AND_HOLD)
        || policy.equals(BaselineComparison.EXPOSURE_MATCHED);
  }
}
