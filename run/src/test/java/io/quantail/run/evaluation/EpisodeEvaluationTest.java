package io.quantail.run.evaluation;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.config.RunConfig;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.tasks.EnvironmentRegistry;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.run.settings.YamlConfig;
import io.quantail.train.EvaluationEpisodes;
import io.quantail.train.Evaluator;
import io.quantail.value.ReturnScale;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class EpisodeEvaluationTest {
  private static final RunConfig CONFIG =
      YamlConfig.parse(
          "environment: {name: CartPole-v1}",
          "run.yaml",
          List.of("network.hidden=8", "evaluation.episodes=5", "evaluation.deterministic=false"));
  private static final EnvironmentFactory CART_POLE = EnvironmentRegistry.of(CONFIG);

  private static ActingModel agent() {
    try (Environment sample = CART_POLE.create(0)) {
      return new AgentModel(CONFIG, sample.observationSpace(), sample.actionSpace()).agent();
    }
  }

  @Test
  void shouldScoreRunsWithoutAProviderByTheirEpisodes() {
    EvaluationProtocol protocol = EvaluationProtocol.of(CONFIG, CART_POLE, DataPart.VALIDATION);
    assertThat(protocol)
        .isEqualTo(
            new EpisodeEvaluation(
                CART_POLE,
                new Evaluator.Settings(
                    CONFIG.evaluation(),
                    CONFIG.environment().faults(),
                    CONFIG.risk().alpha(),
                    CONFIG.seed()),
                null));
    ActingModel agent = agent();
    EvaluationEpisodes expected =
        Evaluator.play(agent, CART_POLE, ((EpisodeEvaluation) protocol).settings());
    EvaluationResult result = protocol.evaluate(agent, ReturnScale.IDENTITY);
    assertThat(result)
        .isEqualTo(
            new EpisodeEvaluationResult(
                expected.summary(), false, CONFIG.seed(), null, expected.episodes()));
    assertThat(result.score()).isEqualTo(expected.summary().meanReturn());
    assertThat(protocol.scoreDescription()).isEqualTo("mean return of 5 episodes");
  }

  @Test
  void shouldPlayNoHeldOutEpisodeTwice() {
    EnvironmentFactory heldOut =
        new EnvironmentFactory() {
          @Override
          public Environment create(int index) {
            return CART_POLE.create(index);
          }

          @Override
          public OptionalInt differentEpisodes() {
            return OptionalInt.of(3);
          }
        };
    EnvironmentFactory training =
        new EnvironmentFactory() {
          @Override
          public Environment create(int index) {
            throw new AssertionError("training environments are not for evaluation");
          }

          @Override
          public EnvironmentFactory heldOut() {
            return heldOut;
          }
        };
    EpisodeEvaluation evaluation = EpisodeEvaluation.heldOut(CONFIG, training, 7);
    assertThat(evaluation.environments()).isSameAs(heldOut);
    assertThat(evaluation.settings().seed()).isEqualTo(7);
    assertThat(evaluation.evaluate(agent(), ReturnScale.IDENTITY).numbers().episodes())
        .isEqualTo(3);
    assertThat(EpisodeEvaluation.heldOut(CONFIG, CART_POLE, 7).settings().config())
        .isEqualTo(CONFIG.evaluation());
  }
}
