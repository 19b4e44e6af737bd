package io.quantail.app.report;

import io.quantail.market.desk.Comparison;

/** The agent and its baselines: how they are called and coloured. */
final class Policies {
  private Policies() {}

  static String name(Comparison.Entry entry) {
    String policy = entry.result().policy();
    return policy.equals(Comparison.BUY_AND_HOLD) ? "buy-and-hold" : policy;
  }

  /** The name of its colour in {@code report.js}. */
  static String tone(Comparison.Entry entry) {
    return entry.result().policy();
  }

  static Comparison.Entry hold(Comparison comparison) {
    return comparison.baselines().stream()
        .filter(entry -> entry.result().policy().equals(Comparison.BUY_AND_HOLD))
        .findFirst()
        .orElseThrow();
  }

  /** Agent and buy-and-hold change place with the market; the others are there for scale. */
  static boolean compared(Comparison.Entry entry) {
    String policy = entry.result().policy();
    return policy.equals(Comparison.AGENT) || policy.equals(Comparison.BUY_AND_HOLD);
  }
}
