package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Same seed, same bytes on disk. */
class DeterminismTest {
  @TempDir private Path directory;
  private Path reference;

  @BeforeEach
  void train() {
    reference = train("reference", "5", 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  @Requirement("ENV-3")
  void shouldRepeatARunByteForByte(int threads) throws IOException {
    Path other = train("other", "5", threads);

    assertThat(weights(other)).hasSameBinaryContentAs(weights(reference));
    assertThat(other.resolve("metrics.csv"))
        .hasSameBinaryContentAs(reference.resolve("metrics.csv"));
  }

  @Test
  void shouldDifferWithOtherSeed() throws IOException {
    Path other = train("other", "6", 1);

    assertThat(Files.mismatch(weights(other), weights(reference))).isNotNegative();
    assertThat(Files.mismatch(other.resolve("metrics.csv"), reference.resolve("metrics.csv")))
        .isNotNegative();
  }

  private Path train(String name, String seed, int threads) {
    Path run = directory.resolve(name);
    Invocation training =
        Invocation.train(run, "--seed", seed, "--set", "training.threads=" + threads);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    return run;
  }

  private static Path weights(Path run) throws IOException {
    Path snapshots = run.resolve("snapshots");
    String latest = Files.readString(snapshots.resolve("LATEST")).strip().split("\\s+")[0];
    return snapshots.resolve(latest).resolve("state.safetensors");
  }
}
