package io.quantail.app.runs;

import io.quantail.app.report.AlertNotice;
import io.quantail.app.report.EpisodeReport;
import io.quantail.app.report.LimitCost;
import io.quantail.app.report.MarketReport;
import io.quantail.app.report.RunFacts;
import io.quantail.app.report.SettingRow;
import io.quantail.config.RunConfig;
import io.quantail.io.AtomicFiles;
import io.quantail.market.evaluation.MarketEvaluationResult;
import io.quantail.market.ledger.EvidenceFile;
import io.quantail.market.ledger.TrialEvidence;
import io.quantail.run.RunLayout;
import io.quantail.run.RunReader;
import io.quantail.run.evaluation.EpisodeEvaluationResult;
import io.quantail.run.evaluation.EvaluationResult;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the HTML report of a run from its evaluation and its files: {@code train} and a later
 * {@code evaluate} of the same data write the same bytes.
 */
public final class ReportWriter {

  private ReportWriter() {}

  /** Name of the report of an evaluation in its run directory. */
  public static String fileName(EvaluationResult result) {
    String suffix = result instanceof MarketEvaluationResult market ? market.fileSuffix() : "";
    return "report" + suffix + ".html";
  }

  /** Name of the report of a later evaluation, which never is that of the training. */
  public static String nameOfEvaluation(EvaluationResult result) {
    String name = fileName(result);
    return name.equals(RunLayout.REPORT) ? RunLayout.EVALUATION_REPORT : name;
  }

  /** Writes the report into the run directory. */
  public static Path write(Path run, RunConfig config, EvaluationResult result) {
    return write(run, config, result, run.resolve(fileName(result)));
  }

  /** Writes the report into a file. */
  public static Path write(Path run, RunConfig config, EvaluationResult result, Path file) {
    return write(file, html(run, name(run), config, result));
  }

  /** Writes the report of a run whose directory is moved later. */
  static void writeBeforeMoving(Path run, Path place, RunConfig config, EvaluationResult result) {
    write(run.resolve(fileName(result)), html(run, name(place), config, result));
  }

  private static String html(
      Path directory, String name, RunConfig config, EvaluationResult result) {
    RunFacts run = facts(directory, name, config);
    if (result instanceof MarketEvaluationResult market) {
      TrialEvidence evidence =
          EvidenceFile.read(directory, market.fileSuffix()).map(EvidenceFile::ledger).orElse(null);
      return MarketReport.html(run, config, market, evidence);
    }
    if (result instanceof EpisodeEvaluationResult episodes) {
      return EpisodeReport.html(run, episodes);
    }
    throw new IllegalArgumentException("no report for a " + result.getClass().getSimpleName());
  }

  /** Name of a run directory, for any form of its path. */
  public static String name(Path run) {
    return run.toAbsolutePath().normalize().getFileName().toString();
  }

  /** Writes a page in one step, so that readers see a complete file or none. */
  public static Path write(Path file, String html) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      return AtomicFiles.write(file, html);
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  private static RunFacts facts(Path run, String name, RunConfig config) {
    RunMetrics metrics = RunMetrics.read(run, RunFacts.DRAWN.keySet());
    return new RunFacts(
        name,
        config.environment().name(),
        config.seed(),
        metrics.steps(),
        metrics.updates(),
        SettingRow.of(config),
        versions(run.resolve(RunLayout.RUN)),
        List.copyOf(metrics.curves().values()),
        AlertNotice.of(RunReader.alerts(run)),
        RunReader.trained(run, config),
        LimitCost.read(run));
  }

  private static Map<String, String> versions(Path file) {
    Map<String, String> versions = new TreeMap<>();
    try {
      Json.MAPPER
          .readTree(file.toFile())
          .path("versions")
          .properties()
          .forEach(version -> versions.put(version.getKey(), version.getValue().asText()));
    } catch (IOException unknown) {
      versions.put("versions", "unknown: " + file.getFileName() + " cannot be read");
    }
    return versions;
  }
}
