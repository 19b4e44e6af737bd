package io.quantail.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.Evaluation;
import io.quantail.Settings;
import io.quantail.Training;
import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.error.QuantailException;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Studies of a Java program, in an environment that no settings name. */
@Requirement("SRCH-1")
class StudyTest {
  @TempDir Path directory;

  /** Pays for the choice that was seen. */
  private static final class Echo implements Environment {
    private RandomStream random;
    private int seen;

    @Override
    public ObservationSpace observationSpace() {
      return ObservationSpace.named("seen");
    }

    @Override
    public ActionSpace actionSpace() {
      return ActionSpace.discrete(3);
    }

    @Override
    public float[] reset(RandomStream stream) {
      random = stream;
      return look();
    }

    private float[] look() {
      seen = random.nextInt(3);
      return new float[] {seen};
    }

    @Override
    public Step step(Action action) {
      int reward = action.index() == seen ? 1 : 0;
      return Step.of(look()).reward(reward);
    }
  }

  private static final Settings SMALL =
      Settings.parse(
          """
          environment: {count: 4}
          network: {hidden: 8}
          critic: {quantiles: 5}
          rollout: {steps: 16}
          ppo: {batchSize: 32, sequenceLength: 8, epochs: 2}
          evaluation: {episodes: 5}
          """);

  private static Training training() {
    return Training.of(Echo::new).settings(SMALL).episodeLimit(10).steps(1024).seed(4);
  }

  private static Study halved() {
    return Study.of(training())
        .vary("optimizer.learningRate", Range.log(1e-4, 1e-1))
        .vary("ppo.epochs", Range.of(1, 2))
        .seeds(1, 2)
        .trials(8)
        .halving(2, 256);
  }

  @Test
  void shouldRankTrialsAndReturnTheBestAgent() {
    StudyResult result = halved().run();

    assertThat(result.trials()).hasSize(8);
    assertThat(result.best()).isEqualTo(result.trials().get(0));
    assertThat(result.trials())
        .extracting(StudyResult.Trial::steps)
        .containsOnly(256L, 512L, 1024L);
    assertThat(result.trials().stream().filter(trial -> trial.steps() == 1024)).hasSize(2);
    assertThat(result.best().scores())
        .containsOnlyKeys(1L, 2L)
        .containsValue(result.best().median());
    assertThat(result.best().settings()).containsOnlyKeys("optimizer.learningRate", "ppo.epochs");
    assertThat(result.steps()).isEqualTo(2 * (4 * 256 + 2 * 512 + 2 * 1024));
    Evaluation again = Evaluation.of(result.agent(), Echo::new).episodes(5).episodeLimit(10).run();
    assertThat(again.mean()).isPositive();
  }

  @Test
  void shouldGiveTheSameWithAnyNumberOfThreadsAndGoOnInItsDirectory() {
    Path place = directory.resolve("study");
    StudyResult one = halved().parallel(1).directory(place).run();
    StudyResult many = halved().parallel(3).run();
    assertThat(many.trials()).isEqualTo(one.trials());
    assertThat(many.agent().provenance().fingerprint())
        .isEqualTo(one.agent().provenance().fingerprint());

    StudyResult again = halved().directory(place).run(); // nothing is left to train
    assertThat(again.trials()).isEqualTo(one.trials());
    assertThat(place.resolve("results.csv")).exists();
    assertThatThrownBy(() -> halved().trials(9).directory(place).run())
        .isInstanceOf(QuantailException.class)
        .hasMessageContaining("was started with another grid");
  }

  @Test
  void shouldTrainAGridAndAPopulation() {
    StudyResult grid =
        Study.of(training().steps(128))
            .vary("ppo.epochs", Range.of(1, 2))
            .vary("rollout.gamma", Range.of(0.9, 0.99))
            .run();
    assertThat(grid.trials())
        .extracting(StudyResult.Trial::settings)
        .contains(Map.of("ppo.epochs", "2", "rollout.gamma", "0.9"))
        .hasSize(4);

    StudyResult population =
        Study.of(training().steps(512))
            .vary("optimizer.learningRate", Range.log(1e-5, 1e-1))
            .population(4, 4)
            .run();
    assertThat(population.trials()).hasSizeBetween(4, 5);
    assertThat(population.steps()).isEqualTo(4 * 512);
    assertThat(population.best().settings().keySet()).isEqualTo(Set.of("optimizer.learningRate"));
    assertThat(population.agent().provenance().steps()).isPositive();
  }

  @Test
  void shouldRefuseWithOneSentence() {
    assertThatThrownBy(() -> Study.of(training()).vary("ppo.epoch", Range.of(1, 2)).run())
        .isInstanceOf(QuantailException.class)
        .hasMessage("vary ppo.epoch names no setting; did you mean ppo.epochs?");
    assertThatThrownBy(() -> Range.log(0, 1)).isInstanceOf(QuantailException.class);
    assertThatThrownBy(() -> halved().population(4).run())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a population has members instead of trials");
    assertThat(List.of(Range.log(1e-5, 0.01), Range.linear(1, 2), Range.of(1, "a")))
        .hasToString("[log(1.0E-5,0.01), linear(1.0,2.0), 1,a]");
  }
}
