package io.quantail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import io.quantail.env.tasks.Pendulum;
import io.quantail.error.AgentFileException;
import io.quantail.export.OnnxSession;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("EXPORT-1")
class AgentExportTest {
  private static final double TOLERANCE = 1e-5;

  @TempDir private Path directory;

  @Test
  void shouldExportWhatDecides() throws OrtException {
    Agent agent =
        TrainingTest.small(Training.of(Pendulum::new)).episodeLimit(30).steps(128).run().agent();
    Path file = directory.resolve("agent.onnx");
    agent.exportOnnx(file);

    ActingAgent acting = agent.acting();
    RandomStream random = RandomStream.of(1, "observations", 0);
    try (OnnxSession model = new OnnxSession(file, 1)) {
      assertThat(model.metadata())
          .containsEntry("quantail.sha256", agent.provenance().fingerprint());
      for (int step = 0; step < 50; step++) {
        float[] observation = {
          (float) random.nextGaussian(),
          (float) random.nextGaussian(),
          (float) random.nextGaussian()
        };
        Decision decision = acting.decide(observation);
        Map<String, float[]> outputs = model.step(new float[][] {observation}, new boolean[1][0]);
        assertThat((double) outputs.get("action")[0])
            .isCloseTo(decision.action().value(), within(TOLERANCE));
        double mean = decision.forecast().mean();
        assertThat((double) outputs.get("return_mean")[0])
            .isCloseTo(mean, within(TOLERANCE * Math.max(1, Math.abs(mean))));
      }
    }
  }

  @Test
  void shouldNameAFileThatCannotBeWritten() {
    Agent agent = TrainingTest.cartPole().run().agent();
    Path file = directory.resolve("missing/agent.onnx");

    assertThatThrownBy(() -> agent.exportOnnx(file))
        .isInstanceOf(AgentFileException.class)
        .hasMessageContaining("cannot write " + file);
  }
}
