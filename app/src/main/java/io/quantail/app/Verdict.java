package io.quantail.app;

import com.fasterxml.jackson.annotation.JsonValue;
import io.quantail.app.report.RunFacts;
import io.quantail.config.RunConfig;
import java.nio.file.Path;

/** What an {@link Assessment} says about an agent. */
interface Verdict {
  /** What {@code --json} shows. */
  @JsonValue
  Object numbers();

  /** What agents are compared by: the mean return of episodes or passes; higher is better. */
  double score();

  /** One line of a summary. */
  String line();

  /** What a summary ends with; empty if the line says it all. */
  String details();

  /** Leaves what is too long to show in the run directory. */
  void write(Path directory);

  /** Name of the report in a run directory. */
  String reportName();

  /** The report as one HTML page. */
  String report(RunFacts run, RunConfig config);
}
