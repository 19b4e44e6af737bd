package io.quantail.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.run.settings.YamlConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
  private static final RunConfig CONFIG = YamlConfig.defaults();

  @TempDir private Path directory;

  @Test
  void shouldNumberRunsThatHaveNoName() throws Exception {
    Path runs = directory.resolve("runs");
    Files.createDirectories(runs.resolve("demo-002"));

    for (String expected : List.of("demo-001", "demo-003")) {
      try (RunDirectory run = RunDirectory.createNext(runs, "demo", CONFIG)) {
        assertThat(run.path()).isEqualTo(runs.resolve(expected)).isDirectory();
      }
    }
    assertThat(runs.resolve("demo-002")).isEmptyDirectory();
  }

  /** Two runs that start at once both find the directory free; the second must not mix in. */
  @Test
  void shouldNotShareDirectoryWithRunThatStartedMeanwhile() {
    Path path = directory.resolve("run");
    RunDirectory.requireFree(path);
    RunDirectory.create(path, CONFIG).close();

    assertThatThrownBy(() -> RunDirectory.create(path, CONFIG))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("exists; choose another with --run");
  }
}
