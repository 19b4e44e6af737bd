package io.quantail.app;

import io.quantail.app.report.RunFacts;
import io.quantail.config.RunConfig;
import io.quantail.run.evaluation.EvaluationResult;

/** What an {@link Assessment} says about an agent. */
interface Verdict extends EvaluationResult {
  /** One line of a summary. */
  String line();

  /** What a summary ends with; empty if the line says it all. */
  String details();

  /** Name of the report in a run directory. */
  String reportName();

  /** The report as one HTML page. */
  String report(RunFacts run, RunConfig config);
}
