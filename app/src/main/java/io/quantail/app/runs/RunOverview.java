package io.quantail.app.runs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.quantail.app.common.ErrorText;
import io.quantail.app.common.UsageException;
import io.quantail.app.report.RunFacts;
import io.quantail.config.RunConfig;
import io.quantail.market.MarketProvider;
import io.quantail.market.ledger.TrialEvidence;
import io.quantail.market.ledger.TrialRecorder;
import io.quantail.run.RunLayout;
import io.quantail.run.RunReader;
import io.quantail.run.evaluation.LimitResult;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One run of a comparison.
 *
 * @param directory of the run
 * @param config its settings
 * @param metrics its learning curves
 * @param evaluation of the trained agent; missing while the run has not ended
 * @param limit whether the CVaR limit was kept; null if there is none or the run has not ended
 * @param evidence what the ledger knows about the evaluated bars by now; null without such bars
 */
public record RunOverview(
    Path directory,
    RunConfig config,
    RunMetrics metrics,
    JsonNode evaluation,
    @Nullable LimitResult limit,
    @Nullable TrialEvidence evidence) {

  /**
   * Reads a run.
   *
   * @param ledger counts the evaluations on the same bars
   */
  public static RunOverview read(Path directory, TrialRecorder ledger) {
    RunConfig config = RunReader.config(directory);
    RunMetrics metrics = RunMetrics.read(directory, RunFacts.DRAWN.keySet());
    JsonNode evaluation = evaluation(directory);
    String part = evaluation.path("split").asText("test");
    return new RunOverview(
        directory,
        config,
        metrics,
        evaluation,
        LimitResult.read(directory).orElse(null),
        ledger.evidence(directory, part.equals("test") ? "" : "-" + part).orElse(null));
  }

  private static JsonNode evaluation(Path directory) {
    Path file = directory.resolve(RunLayout.RESULT);
    if (!Files.isRegularFile(file)) {
      return MissingNode.getInstance();
    }
    try {
      return Json.MAPPER.readTree(file.toFile()).path("evaluation");
    } catch (IOException damaged) {
      throw new UsageException(
          "%s is damaged (%s); write it again with: quantail resume %s"
              .formatted(file, ErrorText.of(damaged), directory));
    }
  }

  public boolean finished() {
    return !evaluation.isMissingNode();
  }

  boolean onMarket() {
    return MarketProvider.provides(config);
  }

  String name() {
    return directory.toAbsolutePath().normalize().getFileName().toString();
  }
}
