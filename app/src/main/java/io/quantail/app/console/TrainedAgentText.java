package io.quantail.app.console;

import io.quantail.run.TrainedAgent;
import io.quantail.run.ValidationHistory;
import java.util.Locale;

/** Lines on validation, the choice of the agent and an early end of the training. */
final class TrainedAgentText {
  private TrainedAgentText() {}

  /** The lines of a summary; empty without validation passes. */
  static String lines(TrainedAgent agent) {
    ValidationHistory validation = agent.validation();
    if (validation == null) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        WrappedText.entry(
            "validation",
            format(
                "%,d %s; the highest return is %s, at update %,d",
                validation.passes(),
                validation.passes() == 1 ? "pass" : "passes",
                TrainingSummary.shown(validation.bestReturn()),
                validation.bestUpdate())));
    agent.earlyEnd().ifPresent(end -> text.append(WrappedText.entry("training", end.toString())));
    agent
        .choice()
        .ifPresent(
            choice ->
                text.append(
                    WrappedText.entry(
                        "chosen",
                        choice
                            + " on the validation bars, so its result there is not out of sample")));
    return text.toString();
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
