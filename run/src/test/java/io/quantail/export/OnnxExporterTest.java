package io.quantail.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import io.quantail.env.ActionSpace;
import io.quantail.export.ReferenceRows.Row;
import io.quantail.random.RandomStream;
import io.quantail.run.SpaceFile;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("EXPORT-1")
class OnnxExporterTest {
  private static final int STEPS = 1000;
  private static final double TOLERANCE = 1e-5;
  private static final int EPISODE_ENDS = 20; // one step in so many
  private static final ActionSpace CHOICES = new ActionSpace.Discrete(4);
  private static final ActionSpace NUMBERS =
      new ActionSpace.Box(new float[] {-2, 0.5f}, new float[] {2, 0.75f});
  private static final ActionSpace POSITIVE = new ActionSpace.Box(new float[] {0}, new float[] {9});

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "seed=1",
        "network.layers=2",
        "network.sharedMemory=true network.layers=2",
        "network.memory=none",
        "network.headLayers=1 network.headUnits=12",
        "environment.normalizeObservations=false network.activation=relu",
        "network.activation=tanh critic.twin=false",
        "network.activation=leaky-relu critic.meanHead=false",
        "network.activation=elu critic.quantiles=1",
        "network.activation=gelu critic.quantiles=2",
        "critic.type=categorical",
        "critic.type=categorical critic.twin=false critic.atoms=51 critic.support=4",
      })
  void shouldComputeWhatTheAgentComputesForChoices(String settings) throws OrtException {
    requireAgreement(CHOICES, settings);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "seed=1",
        "network.squash=sigmoid network.memory=none",
        "network.squash=none network.sigmaMin=0.01 network.sigmaMax=3",
        "network.exploration=gsde",
        "network.exploration=gsde network.sigmaMin=2 network.sigmaMax=4",
        "network.exploration=gsde network.sigmaMin=0.01 network.sigmaMax=0.2",
      })
  void shouldComputeWhatTheAgentComputesForNumbers(String settings) throws OrtException {
    requireAgreement(NUMBERS, settings);
    requireAgreement(POSITIVE, settings);
  }

  @ParameterizedTest
  @ValueSource(strings = {"seed=1", "network.memory=none critic.type=categorical"})
  void shouldComputeWhatTheAgentComputesForProducts(String settings) throws OrtException {
    requireAgreement(ActionSpace.multiDiscrete(3, 2, 4), settings);
    requireAgreement(ActionSpace.product(POSITIVE, CHOICES, NUMBERS, CHOICES), settings);
  }

  /** Steps several episodes side by side in the model and one by one with the agent. */
  private void requireAgreement(ActionSpace space, String settings) throws OrtException {
    ExportedAgent agent = ExportSample.agent(space, settings.split(" +"));
    Path file = directory.resolve("agent.onnx");
    OnnxExporter.write(agent, file);
    int batch = space == POSITIVE ? 1 : 3;
    RandomStream random = RandomStream.of(5, "observations", 0);
    List<ReferenceRows> agents =
        Stream.generate(() -> new ReferenceRows(agent)).limit(batch).toList();
    try (OnnxSession model = new OnnxSession(file, batch)) {
      for (int step = 0; step < STEPS; step++) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < batch; i++) {
          if (step > 0 && random.nextInt(EPISODE_ENDS) == 0) {
            agents.get(i).start();
            model.start(i);
          }
          boolean[] mask = ExportSample.mask(space, random);
          rows.add(agents.get(i).step(ExportSample.observation(random), mask));
        }
        boolean[][] masks = rows.stream().map(Row::mask).toArray(boolean[][]::new);
        float[][] observations = rows.stream().map(Row::observation).toArray(float[][]::new);
        requireEqual(model.step(observations, masks), rows);
      }
    }
  }

  private static void requireEqual(Map<String, float[]> found, List<Row> rows) {
    for (int i = 0; i < rows.size(); i++) {
      Map<String, double[]> expected = rows.get(i).outputs();
      assertThat(found.keySet()).containsExactlyInAnyOrderElementsOf(expected.keySet());
      for (String name : expected.keySet()) {
        double[] values = expected.get(name);
        float[] all = found.get(name);
        int first = all.length == values.length ? 0 : i * values.length; // atoms are once there
        for (int k = 0; k < values.length; k++) {
          boolean exact = name.equals("action_probabilities") && values[k] == 0;
          double limit = exact ? 0 : TOLERANCE * Math.max(1, Math.abs(values[k]));
          assertThat((double) all[first + k])
              .as("%s[%d]", name, k)
              .isCloseTo(values[k], within(limit));
        }
      }
    }
  }

  @Test
  void shouldSayWhereTheModelComesFrom() throws OrtException {
    Path file = directory.resolve("agent.onnx");
    ExportedAgent agent = ExportSample.agent(NUMBERS, "rollout.gamma=0.97");
    OnnxExporter.Result result = OnnxExporter.write(agent, file);

    try (OnnxSession model = new OnnxSession(file, 1)) {
      assertThat(model.producer()).isEqualTo("quantail");
      assertThat(model.metadata())
          .containsEntry("quantail.format", "1")
          .containsEntry("quantail.discount", "0.97")
          .containsEntry("quantail.steps", "1024");
      assertThat(SpaceFile.parse(model.metadata().get("quantail.spaces")))
          .isEqualTo(agent.spaces());
    }
    assertThat(result.inputs())
        .containsExactly(
            "observation float [batch, 5]",
            "hidden_in float [2, batch, 8]",
            "cell_in float [2, batch, 8]");
    assertThat(file).hasSize(result.bytes());
  }

  @Test
  void shouldWriteTheSameBytesForTheSameAgent() {
    String first = OnnxExporter.write(ExportSample.agent(CHOICES), directory.resolve("a")).sha256();
    String second =
        OnnxExporter.write(ExportSample.agent(CHOICES), directory.resolve("b")).sha256();

    assertThat(second).isEqualTo(first);
  }
}
