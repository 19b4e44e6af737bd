package io.quantail.app.runs;

import io.quantail.config.RunConfig;
import io.quantail.run.RunDirectory;
import io.quantail.run.RunLayout;
import io.quantail.run.RunListener;
import io.quantail.run.RunListenerProvider;
import io.quantail.run.RunResult;
import io.quantail.run.RunStatus;
import io.quantail.run.TrainingRun;
import io.quantail.run.evaluation.EvaluationResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Adds the HTML report and {@code metrics.parquet} to every run. */
public final class ReportListenerProvider implements RunListenerProvider {
  @Override
  public List<RunListener> listeners(RunConfig config) {
    return List.of(new Files());
  }

  /** Writes the report when the agent is evaluated, and the columnar file at the end. */
  private static final class Files implements RunListener {
    private RunDirectory run;

    @Override
    public void onStart(TrainingRun training) {
      run = training.directory();
    }

    @Override
    public RunResult onFinish(RunResult result) {
      EvaluationResult evaluation = Objects.requireNonNull(result.evaluation());
      ReportWriter.writeBeforeMoving(run.path(), run.destination(), run.config(), evaluation);
      Path report = run.destination().resolve(ReportWriter.fileName(evaluation));
      return result.withReport(report.toString());
    }

    @Override
    public void onEnd(RunStatus.State state) {
      if (run != null) {
        Path directory = run.path();
        MetricsParquet.write(
            directory.resolve(RunLayout.METRICS), directory.resolve(RunLayout.PARQUET));
      }
    }
  }
}
