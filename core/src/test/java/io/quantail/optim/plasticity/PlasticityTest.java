package io.quantail.optim.plasticity;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.optim.plasticity.PlasticityStudy.Candidate;
import io.quantail.optim.plasticity.PlasticityStudy.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The experiment behind the picture in {@code docs/reference/optimizers.md}: its learning rates,
 * seeds and lengths. {@code tools/plasticity} runs it.
 */
class PlasticityTest {
  private static final int PHASES = 50;
  private static final int STEPS = 200;
  private static final int SEEDS = 5;
  private static final List<Candidate> CANDIDATES =
      List.of(
          new Candidate("adaptive-upgd", List.of(0.002, 0.006, 0.02)),
          new Candidate("adam", List.of(0.001, 0.003, 0.01)),
          new Candidate("upgd", List.of(0.06, 0.2, 0.6)),
          new Candidate("sgd", List.of(0.03, 0.1, 0.3)));

  @Tag("learning")
  @Test
  void shouldKeepMorePlasticityThanAdam() throws IOException {
    PlasticityStudy study = new PlasticityStudy(ChangingTask.Change.INPUTS_PERMUTED, PHASES, STEPS);
    LinePlot plot =
        new LinePlot(
            "accuracy over the last fifth of a phase", "phase (inputs permuted anew)", 0.5, 1);
    List<Outcome> outcomes = new ArrayList<>();
    for (Candidate candidate : CANDIDATES) {
      Outcome outcome = study.run(candidate, SEEDS);
      outcomes.add(outcome);
      List<double[]> points = IntStream.range(0, PHASES).mapToObj(outcome::phase).toList();
      plot.add(new LinePlot.Series(label(outcome), points));
      print(outcome);
    }
    Path file = Path.of(System.getProperty("quantail.module.target"), "plasticity.svg");
    Files.writeString(file, plot.svg());
    double upgd = outcomes.get(0).phases(PHASES - 10, PHASES)[0];
    double adam = outcomes.get(1).phases(PHASES - 10, PHASES)[0];
    assertThat(upgd).isGreaterThan(adam);
  }

  private static String label(Outcome outcome) {
    return outcome.name() + ", " + outcome.learningRate();
  }

  private static void print(Outcome outcome) {
    double[] first = outcome.phases(0, 10);
    double[] last = outcome.phases(PHASES - 10, PHASES);
    System.out.printf(
        "| `%s` | %s | %.3f ± %.3f | %.3f ± %.3f |%n",
        outcome.name(), outcome.learningRate(), first[0], first[1], last[0], last[1]);
  }

  @Test
  void shouldRepeatBitForBitAndChangeFromPhaseToPhase() {
    PlasticityStudy study = new PlasticityStudy(ChangingTask.Change.INPUTS_PERMUTED, 3, 40);
    double[] once = study.run(PlasticityStudy.config("adaptive-upgd", 0.01), 1);
    assertThat(study.run(PlasticityStudy.config("adaptive-upgd", 0.01), 1)).isEqualTo(once);
    ChangingTask task = new ChangingTask(1, ChangingTask.Change.INPUTS_PERMUTED);
    assertThat(task.phase(0).batch(0, 4).inputs()).isNotEqualTo(task.phase(1).batch(0, 4).inputs());
  }
}
