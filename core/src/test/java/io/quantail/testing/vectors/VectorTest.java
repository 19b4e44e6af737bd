package io.quantail.testing.vectors;

import io.quantail.calibration.CalibrationVectors;
import io.quantail.env.PeerEnvironmentVectors;
import io.quantail.env.tasks.TaskVectors;
import io.quantail.env.vector.FaultVectors;
import io.quantail.network.ActionVectors;
import io.quantail.network.DistributionVectors;
import io.quantail.network.NetworkVectors;
import io.quantail.optim.OptimizerVectors;
import io.quantail.optim.UpgdVectors;
import io.quantail.optim.VgsVectors;
import io.quantail.ppo.GradientStepVectors;
import io.quantail.ppo.LossVectors;
import io.quantail.ppo.RobustLossVectors;
import io.quantail.ppo.TwinClipVectors;
import io.quantail.ppo.ValueClipGateVectors;
import io.quantail.robust.RobustVectors;
import io.quantail.rollout.ReturnTargetVectors;
import io.quantail.rollout.RolloutVectors;
import io.quantail.train.RewardCostVectors;
import io.quantail.train.ValueScaleVectors;
import io.quantail.value.CategoricalVectors;
import io.quantail.value.CriticVectors;
import io.quantail.value.ReturnVectors;
import io.quantail.value.RiskVectors;
import io.quantail.value.ValueClipVectors;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks every vector of the learner. Those of populations are checked in the module study. */
class VectorTest {
  private static final VectorRegistry REGISTRY =
      new VectorRegistry(
          List.of(
              new SkippedVectors(),
              new GaeVectors(),
              new AdvantageVectors(),
              new KlVectors(),
              new ScheduleVectors(),
              new ExplainedVarianceVectors(),
              new BatchVectors(),
              new TwinGradientVectors(),
              new NetworkVectors(),
              new DistributionVectors(),
              new ActionVectors(),
              new CriticVectors(),
              new CategoricalVectors(),
              new ValueClipVectors(),
              new RiskVectors(),
              new ValueClipGateVectors(),
              new ValueScaleVectors(),
              new ReturnVectors(),
              new RolloutVectors(),
              new ReturnTargetVectors(),
              new CalibrationVectors(),
              new LossVectors(),
              new TwinClipVectors(),
              new GradientStepVectors(),
              new OptimizerVectors(),
              new UpgdVectors(),
              new VgsVectors(),
              new RobustVectors(),
              new RobustLossVectors(),
              new FaultVectors(),
              new RewardCostVectors(),
              new PeerEnvironmentVectors(),
              new TaskVectors()));

  @TestFactory
  Stream<DynamicTest> shouldAgreeWithVectors() {
    return VectorTests.of(REGISTRY, name -> !name.startsWith("pbt_"));
  }
}
