package io.quantail.testing.vectors;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.env.PeerEnvironmentVectors;
import io.quantail.env.vector.FaultVectors;
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
import io.quantail.rollout.RolloutVectors;
import io.quantail.study.population.PopulationVectors;
import io.quantail.train.RewardCostVectors;
import io.quantail.train.ValueScaleVectors;
import io.quantail.value.CategoricalVectors;
import io.quantail.value.CriticVectors;
import io.quantail.value.ReturnVectors;
import io.quantail.value.RiskVectors;
import io.quantail.value.ValueClipVectors;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Checks every number of the vector files: those of this repository, and those of the folder that
 * the system property {@value #FOLDER_PROPERTY} names.
 */
class VectorTest {
  static final String FOLDER_PROPERTY = "quantail.vectors";

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
              new CriticVectors(),
              new CategoricalVectors(),
              new ValueClipVectors(),
              new RiskVectors(),
              new ValueClipGateVectors(),
              new ValueScaleVectors(),
              new ReturnVectors(),
              new RolloutVectors(),
              new LossVectors(),
              new TwinClipVectors(),
              new GradientStepVectors(),
              new OptimizerVectors(),
              new UpgdVectors(),
              new VgsVectors(),
              new RobustVectors(),
              new PopulationVectors(),
              new RobustLossVectors(),
              new FaultVectors(),
              new RewardCostVectors(),
              new PeerEnvironmentVectors()));

  @TestFactory
  Stream<DynamicTest> shouldAgreeWithVectors() throws IOException, URISyntaxException {
    Path own = Path.of(VectorTest.class.getResource("/vectors").toURI());
    List<DynamicTest> tests = new ArrayList<>(testsOf(own));
    String folder = System.getProperty(FOLDER_PROPERTY);
    if (folder != null && !folder.isBlank()) {
      tests.addAll(testsOf(Path.of(System.getProperty("quantail.root", "")).resolve(folder)));
    }
    return tests.stream();
  }

  /** A folder or file that cannot be read becomes a failing test beside those that can. */
  static List<DynamicTest> testsOf(Path folder) {
    List<DynamicTest> tests = new ArrayList<>();
    try {
      for (Path file : VectorFiles.in(folder)) {
        tests.addAll(testsOfFile(file));
      }
    } catch (IOException | RuntimeException e) {
      tests.add(failing(folder.toString(), e));
    }
    return tests;
  }

  private static List<DynamicTest> testsOfFile(Path file) {
    List<DynamicTest> tests = new ArrayList<>();
    try {
      for (JsonNode vector : VectorFiles.read(file)) {
        String name = vector.path("name").asText();
        tests.add(dynamicTest(file.getFileName() + ":" + name, () -> check(REGISTRY, vector)));
      }
    } catch (IOException | RuntimeException e) {
      tests.add(failing(file.toString(), e));
    }
    return tests;
  }

  static void check(VectorRegistry registry, JsonNode vector) {
    String name = vector.path("name").asText();
    if (VectorCase.isAboutOriginal(name)) {
      Assumptions.abort("not for us: describes the audited program");
    }
    VectorCheck check =
        registry
            .find(name)
            .orElseThrow(
                () ->
                    new AssertionError(
                        "no check is registered for the vector "
                            + name
                            + "; add one to a VectorFamily, or a reason to SkippedVectors"));
    VectorCase vectorCase = new VectorCase(vector);
    check.check(vectorCase);
    vectorCase.requireComplete();
  }

  private static DynamicTest failing(String name, Exception cause) {
    return dynamicTest(
        name,
        () -> {
          throw new AssertionError(cause.getMessage(), cause);
        });
  }
}
