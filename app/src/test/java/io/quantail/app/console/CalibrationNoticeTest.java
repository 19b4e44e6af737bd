package io.quantail.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.metrics.MetricRow;
import io.quantail.run.settings.YamlConfig;
import io.quantail.testing.Requirement;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** That episodes are too short for calibration is said once. */
@Requirement("DIST-5")
class CalibrationNoticeTest {
  private static final MetricRow FOUND =
      new MetricRow(1, 100, 1, Map.of("info/longest_episode_below_horizon", 200.0));

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  @Test
  void shouldSayAtTheStartThatEpisodesAreTooShort() {
    CalibrationNotice notice = notice("seed=1", OptionalInt.of(256));
    notice.start(List.of());
    notice.onUpdate(FOUND);
    assertThat(lines())
        .containsExactly(
            "quantail: note: episodes end after 256 steps and calibration needs 299 (rollout.gamma"
                + " 0.99); it is not measured");
  }

  @Test
  void shouldSayItWhenTheFirstEpisodesWereTruncated() {
    CalibrationNotice notice = notice("rollout.gamma=1", OptionalInt.empty());
    notice.start(List.of());
    assertThat(lines()).isEmpty();
    notice.onUpdate(FOUND);
    notice.onUpdate(FOUND);
    assertThat(lines())
        .containsExactly(
            "quantail: note: episodes end after 200 steps and calibration needs terminated ones"
                + " (rollout.gamma 1.0); it is not measured");
  }

  @Test
  void shouldSayNothingAgainAfterResumeNorOfLongEpisodesNorOfAMarket() {
    notice("seed=1", OptionalInt.of(256)).start(List.of(FOUND));
    notice("seed=1", OptionalInt.of(299)).start(List.of());
    CalibrationNotice market = notice("environment.name=Market-v0", OptionalInt.of(256));
    market.start(List.of());
    market.onUpdate(FOUND);
    CalibrationNotice unknown = notice("seed=1", OptionalInt.empty());
    unknown.start(List.of(FOUND));
    unknown.onUpdate(FOUND);
    assertThat(lines()).isEmpty();
  }

  private List<String> lines() {
    return bytes.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private CalibrationNotice notice(String setting, OptionalInt longest) {
    RunConfig config = YamlConfig.parse("", "run.yaml", List.of(setting));
    EnvironmentFactory environments =
        new EnvironmentFactory() {
          @Override
          public Environment create(int index) {
            throw new UnsupportedOperationException();
          }

          @Override
          public OptionalInt longestEpisode() {
            return longest;
          }
        };
    TrainingConsole console =
        new TrainingConsole(
            new Messages(),
            new ProgressLine(
                new PrintStream(bytes, true, StandardCharsets.UTF_8), false, System::nanoTime));
    return new CalibrationNotice(console, config, environments);
  }
}
