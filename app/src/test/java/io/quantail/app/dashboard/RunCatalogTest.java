package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("DASH-1")
class RunCatalogTest {
  @TempDir private Path directory;

  /** A sweep has settings like a run; its agents are the runs. */
  @Test
  void shouldNotListASweepAsARun() throws IOException {
    Path sweep = Files.createDirectories(directory.resolve("sweep"));
    Files.createFile(sweep.resolve("config.yaml"));
    Files.createFile(sweep.resolve("data.json"));
    Path agent = Files.createDirectories(sweep.resolve("runs/seed-1"));
    Files.createFile(agent.resolve("config.yaml"));

    assertThat(new RunCatalog(directory).runs()).isEmpty();
    assertThat(new RunCatalog(sweep.resolve("runs")).runs())
        .extracting(RunFiles::id)
        .containsExactly("seed-1");
  }
}
