package io.quantail.run.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.ConfigException;
import io.quantail.config.RolloutConfig;
import io.quantail.config.RunConfig;
import io.quantail.config.TrainingConfig;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every bound of every setting: the value just outside is refused, the value on it is taken. */
@Requirement("CLI-2")
class ConfigRangesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "environment.count | 0 | in [1, 4096]",
        "environment.count | 4097 | in [1, 4096]",
        "environment.observationClip | 0 | positive",
        "environment.faults.stepDeadlineSeconds | 0 | positive",
        "environment.faults.maxRestartsPerEnvironment | -1 | at least 0",
        "environment.faults.maxRestarts | -1 | at least 0",
        "network.hidden | 0 | in [1, 4096]",
        "network.hidden | 4097 | in [1, 4096]",
        "network.layers | 0 | in [1, 8]",
        "network.layers | 9 | in [1, 8]",
        "network.headLayers | 0 | in [1, 2]",
        "network.headLayers | 3 | in [1, 2]",
        "network.headUnits | 0 | in [1, 4096]",
        "network.headUnits | 4097 | in [1, 4096]",
        "network.sigmaMin | 0 | positive",
        "network.sigmaMax | -1 | positive",
        "critic.quantiles | 0 | in [1, 1024]",
        "critic.quantiles | 1025 | in [1, 1024]",
        "critic.huberKappa | -0.1 | at least 0",
        "critic.particles | 0 | in [1, 256]",
        "critic.particles | 257 | in [1, 256]",
        "critic.targetLambda | -0.1 | in [0, 1]",
        "critic.targetLambda | 1.1 | in [0, 1]",
        "critic.atoms | 1 | in [2, 1024]",
        "critic.atoms | 1025 | in [2, 1024]",
        "critic.support | 0 | positive",
        "critic.coefficient | -0.1 | at least 0",
        "critic.clip.range | 0 | positive",
        "critic.clip.varianceFactor | 0.9 | at least 1",
        "critic.clip.warmupUpdates | -1 | at least 0",
        "critic.clip.thresholdExplainedVariance | -1.1 | in [-1, 1]",
        "critic.clip.thresholdExplainedVariance | 1.1 | in [-1, 1]",
        "returns.emaBeta | 0 | in (0, 1]",
        "returns.emaBeta | 1.01 | in (0, 1]",
        "returns.stdFloor | 0 | positive",
        "returns.adaptiveFloor | -0.1 | in [0, 1)",
        "returns.adaptiveFloor | 1 | in [0, 1)",
        "returns.maxRelativeStep | -0.5 | at least 0",
        "risk.alpha | 0 | in (0, 1]",
        "risk.alpha | 1.1 | in (0, 1]",
        "risk.margin | -0.1 | in [0, 1)",
        "risk.margin | 1 | in [0, 1)",
        "risk.winsor | -0.1 | in [0, 0.49999999999999994]",
        "risk.winsor | 0.5 | in [0, 0.49999999999999994]",
        "risk.smoothing | 1 | in [0, 1)",
        "risk.cap | 0 | positive",
        "risk.multiplier.rate | -1 | at least 0",
        "risk.multiplier.gain | -1 | at least 0",
        "risk.multiplier.max | 0 | positive",
        "risk.penalty.weight | -1 | at least 0",
        "risk.penalty.weightCap | -1 | at least 0",
        "risk.penalty.rampUpdates | 0 | at least 1",
        "risk.penalty.thresholdExplainedVariance | 1.1 | in [-1, 1]",
        "robust.coefficient | -1 | at least 0",
        "robust.epsilon | -0.1 | at least 0",
        "robust.rampShare | 1.1 | in [0, 1]",
        "robust.warmupUpdates | -1 | at least 0",
        "robust.ratio | 1.5 | in [0, 1]",
        "robust.attackedShare | -0.5 | in [0, 1]",
        "robust.steps | 0 | in [1, 1000]",
        "robust.stepSize | 0 | positive",
        "returns.scaleCap | 0 | positive",
        "rollout.steps | 0 | at least 1",
        "rollout.gamma | 0 | in (0, 1]",
        "rollout.gamma | 1.1 | in (0, 1]",
        "rollout.gaeLambda | -0.1 | in [0, 1]",
        "rollout.gaeLambda | 1.1 | in [0, 1]",
        "ppo.epochs | 0 | in [1, 100]",
        "ppo.epochs | 101 | in [1, 100]",
        "ppo.batchSize | 0 | at least 1",
        "ppo.microbatches | 0 | at least 1",
        "ppo.sequenceLength | 0 | at least 1",
        "ppo.clipRange | 0 | in (0, 1)",
        "ppo.clipRange | 1.5 | in (0, 1)",
        "ppo.clipRange | 1 | in (0, 1)",
        "ppo.clipRangeWarmup | 0 | in (0, 1)",
        "ppo.clipRangeWarmup | 1 | in (0, 1)",
        "ppo.clipRangeWarmupUpdates | -1 | at least 0",
        "ppo.kl.target | 0 | positive",
        "ppo.kl.smoothWindow | 0 | at least 1",
        "ppo.kl.smoothAlpha | 0 | in (0, 1]",
        "ppo.kl.smoothAlpha | 1.5 | in (0, 1]",
        "ppo.kl.consecutive | -1 | at least 0",
        "ppo.kl.absoluteStopFactor | 0 | positive",
        "ppo.kl.exceedStopFraction | -0.1 | in [0, 1]",
        "ppo.kl.exceedStopFraction | 1.1 | in [0, 1]",
        "ppo.kl.epochDecay | 0 | in (0, 1]",
        "ppo.kl.epochDecay | 1.5 | in (0, 1]",
        "ppo.kl.penalty | -1 | at least 0",
        "ppo.kl.penaltyMin | 0 | positive",
        "ppo.kl.penaltyMax | 0 | positive",
        "ppo.entropy.coefficient | -1 | at least 0",
        "ppo.entropy.finalCoefficient | -1 | at least 0",
        "ppo.entropy.minimum | -1 | at least 0",
        "ppo.entropy.decayUpdates | -1 | at least 0",
        "ppo.entropy.plateauWindow | -1 | 0 or at least 2",
        "ppo.entropy.plateauWindow | 1 | 0 or at least 2",
        "ppo.entropy.plateauTolerance | -1 | at least 0",
        "ppo.entropy.plateauMinUpdates | -1 | at least 0",
        "ppo.cloning.coefficient | -1 | at least 0",
        "ppo.cloning.finalCoefficient | -1 | at least 0",
        "ppo.cloning.beta | 0 | positive",
        "ppo.cloning.warmupSteps | -1 | at least 0",
        "ppo.cloning.decaySteps | -1 | at least 0",
        "optimizer.learningRate | 0 | positive",
        "optimizer.minLearningRate | -1 | at least 0",
        "optimizer.maxLearningRate | 0 | positive",
        "optimizer.beta1 | -0.1 | in [0, 1)",
        "optimizer.beta1 | 1 | in [0, 1)",
        "optimizer.beta2 | -0.1 | in [0, 1)",
        "optimizer.beta2 | 1 | in [0, 1)",
        "optimizer.epsilon | 0 | positive",
        "optimizer.weightDecay | -1 | at least 0",
        "optimizer.momentum | -0.1 | in [0, 1)",
        "optimizer.momentum | 1 | in [0, 1)",
        "optimizer.sigma | -0.1 | at least 0",
        "optimizer.betaUtility | -0.1 | in [0, 1)",
        "optimizer.betaUtility | 1 | in [0, 1)",
        "optimizer.vgs.beta | 0 | in (0, 1)",
        "optimizer.vgs.beta | 1 | in (0, 1)",
        "optimizer.vgs.alpha | -0.1 | at least 0",
        "optimizer.vgs.warmupSteps | -1 | at least 0",
        "optimizer.vgs.cap | 0 | positive",
        "optimizer.vgs.floor | 0 | in (0, 1]",
        "optimizer.vgs.floor | 1.1 | in (0, 1]",
        "training.steps | 0 | positive",
        "training.threads | -1 | at least 0",
        "training.snapshotUpdates | 0 | at least 1",
        "training.maxRefusedUpdates | -1 | at least 0",
        "training.measuredShare | 0 | in (0, 1]",
        "training.measuredShare | 1.01 | in (0, 1]",
        "training.validationUpdates | -1 | at least 0",
        "training.patience | 0 | at least 1",
        "evaluation.episodes | 0 | at least 1",
      })
  void shouldRefuseValueOutsideItsRange(String path, String value, String bound) {
    assertThatThrownBy(() -> parse(path + "=" + value))
        .isInstanceOf(ConfigException.class)
        .hasMessage("%s must be %s, was %s", path, bound, value);
  }

  @ParameterizedTest
  @CsvSource({
    "environment.count,4096",
    "environment.faults.maxRestartsPerEnvironment,0",
    "environment.faults.maxRestarts,0",
    "network.hidden,1",
    "network.hidden,4096",
    "network.layers,8",
    "network.headLayers,1",
    "network.headUnits,1",
    "network.headUnits,4096",
    "critic.quantiles,1",
    "critic.quantiles,1024",
    "critic.huberKappa,0",
    "critic.particles,1",
    "critic.particles,256",
    "critic.targetLambda,0",
    "critic.targetLambda,1",
    "critic.atoms,2",
    "critic.atoms,1024",
    "critic.coefficient,0",
    "critic.clip.varianceFactor,1",
    "critic.clip.thresholdExplainedVariance,-1",
    "critic.clip.thresholdExplainedVariance,1",
    "returns.emaBeta,1",
    "returns.maxRelativeStep,0",
    "rollout.gamma,1",
    "rollout.gaeLambda,0",
    "rollout.gaeLambda,1",
    "ppo.epochs,1",
    "ppo.epochs,100",
    "ppo.clipRange,0.999",
    "ppo.kl.smoothAlpha,1",
    "ppo.kl.exceedStopFraction,0",
    "ppo.kl.exceedStopFraction,1",
    "ppo.kl.epochDecay,1",
    "ppo.kl.penalty,1",
    "optimizer.beta1,0",
    "optimizer.momentum,0",
    "optimizer.sigma,0",
    "optimizer.betaUtility,0",
    "optimizer.vgs.alpha,0",
    "optimizer.vgs.warmupSteps,0",
    "optimizer.vgs.floor,1",
    "optimizer.learningRate,1",
    "training.steps,1",
    "evaluation.episodes,1",
    "seed,-9223372036854775808",
  })
  void shouldTakeValueOnItsBound(String path, String value) {
    JsonNode node = YamlConfig.toTree(parse(path + "=" + value));

    for (String name : path.split("\\.")) {
      node = node.get(name);
    }
    assertThat(node.asText()).isEqualTo(value);
  }

  @Test
  void shouldNameBothSettingsThatContradictEachOther() {
    assertThatThrownBy(() -> parse("network.sigmaMax=0.2"))
        .hasMessage(
            "network.sigmaMax must be greater than network.sigmaMin (0.2), was 0.2;"
                + " raise the first or lower the second");
    assertThatThrownBy(() -> parse("ppo.clipRange=0.3", "ppo.clipRangeWarmupUpdates=5"))
        .hasMessage(
            "ppo.clipRangeWarmup must be at least ppo.clipRange (0.3), was 0.2;"
                + " raise the first or lower the second");
    assertThatThrownBy(() -> parse("ppo.kl.penaltyMin=2"))
        .hasMessageStartingWith("ppo.kl.penaltyMax must be at least ppo.kl.penaltyMin (2), was 1;");
    assertThatThrownBy(() -> parse("ppo.kl.penalty=2"))
        .hasMessageStartingWith("ppo.kl.penaltyMax must be at least ppo.kl.penalty (2), was 1;");
    assertThatThrownBy(() -> parse("ppo.kl.penalty=0.1", "ppo.kl.penaltyMin=0.2"))
        .hasMessageStartingWith(
            "ppo.kl.penalty must be at least ppo.kl.penaltyMin (0.2), was 0.1;");
    assertThatThrownBy(() -> parse("optimizer.minLearningRate=0.001"))
        .hasMessageStartingWith(
            "optimizer.learningRate must be at least optimizer.minLearningRate (0.001), was"
                + " 0.0003;");
    assertThatThrownBy(() -> parse("optimizer.maxLearningRate=1e-4"))
        .hasMessageStartingWith(
            "optimizer.maxLearningRate must be at least optimizer.learningRate (0.0003),"
                + " was 0.0001;");
    assertThatThrownBy(
            () -> parse("optimizer.minLearningRate=0.01", "optimizer.maxLearningRate=0.001"))
        .hasMessageStartingWith(
            "optimizer.maxLearningRate must be at least optimizer.minLearningRate (0.01),"
                + " was 0.001;");
  }

  @Test
  void shouldIgnoreUnusedWarmupRangeAndSwitchedOffPenaltyBounds() {
    assertThat(parse("ppo.clipRange=0.3").ppo().clipRange().is(0.3)).isTrue();
    assertThat(parse("ppo.kl.penaltyMin=0.1").ppo().kl().penalty()).isZero();
  }

  @Test
  void shouldRefuseNonFiniteNumbersInCodeToo() {
    assertThatThrownBy(() -> new RolloutConfig(128, Double.NaN, 0.95, false, 0, 2))
        .isInstanceOf(ConfigException.class)
        .hasMessage("rollout.gamma must be a finite number, was NaN");
    assertThatThrownBy(
            () -> new TrainingConfig(-5, 0, 1, 0, 1, null, 20, TrainingConfig.Keep.LAST, null))
        .hasMessage("training.steps must be positive, was -5");
  }

  private static RunConfig parse(String... overrides) {
    return YamlConfig.parse("", "test.yaml", List.of(overrides));
  }
}
