package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Health rules that detect defects of the program: the defect is seeded into the source, a small
 * agent is trained with it, and the rule must raise its alert.
 */
@Requirement("HEALTH-1")
class HealthMutationTest {
  private static final Path ROOT = Path.of(System.getProperty("quantail.root"));

  @TempDir Path directory;

  static Stream<Arguments> defects() {
    return Stream.of(
        Arguments.of(
            "advantages-not-centred",
            1,
            List.of(),
            mutant(
                "advantages are only scaled",
                "rollout/AdvantageNormalizer",
                "(advantages[i] - moments.mean()) / divisor",
                "advantages[i] / divisor")),
        Arguments.of(
            "advantages-not-scaled",
            1,
            List.of(),
            mutant(
                "advantages are only centred",
                "rollout/AdvantageNormalizer",
                "(advantages[i] - moments.mean()) / divisor",
                "(advantages[i] - moments.mean()) * 10")),
        Arguments.of(
            "upgd-frozen",
            5,
            List.of("optimizer.name=upgd"),
            mutant(
                "all gates of UPGD are shut",
                "optim/UtilityGate",
                "new UtilityGate(-2 / (max - min), (min + max) / 2, true)",
                "new UtilityGate(-2 / (max - min), min - 10 * (max - min), false)")));
  }

  private static Mutant mutant(String name, String type, String from, String to) {
    return Mutant.of(name, MutantSubject.FREE, "", type, from, to);
  }

  @ParameterizedTest
  @MethodSource("defects")
  void shouldRaiseTheAlertOfADefect(String rule, int updates, List<String> settings, Mutant defect)
      throws Exception {
    List<String> all = new ArrayList<>(MutantSubject.FREE.settings());
    all.addAll(List.of("rollout.steps=32", "ppo.sequenceLength=16", "ppo.batchSize=64"));
    all.add("training.steps=100000"); // schedules stay at their start
    all.addAll(settings);
    try (MutantLoader healthy = MutantLoader.healthy(true, ROOT, directory)) {
      assertThat(healthy.alerts(all, updates)).doesNotContain(rule);
    }
    try (MutantLoader loader = MutantLoader.of(defect, ROOT, directory)) {
      assertThat(loader.alerts(all, updates)).contains(rule);
    }
  }
}
