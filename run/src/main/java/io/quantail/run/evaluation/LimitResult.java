package io.quantail.run.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.RiskConfig;
import io.quantail.config.SettingNames;
import io.quantail.evidence.LimitVerdict;
import io.quantail.run.RunLayout;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether the CVaR limit of a run was kept: {@code limit} of {@code result.json} and {@code
 * --json}. The numbers are those of the judged part, which is the last one.
 *
 * @param measure {@code risk.measure}
 * @param mode {@code risk.mode}; with {@code off} training did not enforce the limit
 * @param alpha fraction of the tail
 * @param limit lowest CVaR allowed
 * @param part name of the judged part
 * @param measured CVaR of the judged part; null if it has no samples
 * @param low lower bound of its 95 % interval; null if there is none
 * @param high upper bound; null if there is none
 * @param status of the judged part
 * @param parts training first, the judged part last
 */
public record LimitResult(
    String measure,
    String mode,
    double alpha,
    double limit,
    String part,
    @Nullable Double measured,
    @Nullable Double low,
    @Nullable Double high,
    LimitVerdict.Verdict status,
    List<LimitPart> parts)
    implements Serializable {

  public LimitResult {
    parts = List.copyOf(parts);
  }

  /**
   * The result of measured parts.
   *
   * @param risk settings with a limit
   * @param parts the judged one last
   */
  public static LimitResult of(RiskConfig risk, List<LimitPart> parts) {
    LimitPart judged = parts.get(parts.size() - 1);
    LimitEstimate estimate = judged.estimate();
    return new LimitResult(
        SettingNames.written(risk.measure()),
        SettingNames.written(risk.mode()),
        risk.alpha(),
        Objects.requireNonNull(risk.limit()),
        judged.part(),
        estimate.measured(),
        estimate.low(),
        estimate.high(),
        estimate.status(),
        parts);
  }

  /** The judged part. */
  public LimitPart judged() {
    return parts.get(parts.size() - 1);
  }

  /**
   * Reads the limit of a finished run from its {@code result.json}; empty if the run has none, is
   * not finished, or was made by a build that did not measure it.
   */
  public static Optional<LimitResult> read(Path run) {
    Path file = run.resolve(RunLayout.RESULT);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      JsonNode limit = Json.MAPPER.readTree(file.toFile()).path("limit");
      return limit.isObject()
          ? Optional.of(Json.MAPPER.treeToValue(limit, LimitResult.class))
          : Optional.empty();
    } catch (IOException damaged) {
      return Optional.empty();
    }
  }
}
