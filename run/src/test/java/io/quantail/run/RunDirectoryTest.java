package io.quantail.run;

import static java.nio.file.StandardOpenOption.APPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.run.settings.YamlConfig;
import io.quantail.state.StateMap;
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
    try (RunDirectory first = RunDirectory.create(path, CONFIG)) {
      assertThatThrownBy(() -> RunDirectory.create(path, CONFIG))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining(path + " is in use by this process");
      first.snapshot(new StateMap(), 1, 64, null);
    }
    assertThatThrownBy(() -> RunDirectory.requireFree(path))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("exists; choose another with --run");
    assertThatThrownBy(() -> RunDirectory.create(path, CONFIG))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("exists; choose another with --run");
  }

  /** A process that is killed early leaves a directory without a snapshot. */
  @Test
  void shouldStartAnewWhereARunEndedBeforeItsFirstSnapshot() throws Exception {
    Path path = directory.resolve("run");
    Files.createDirectory(path);
    RunDirectory.requireFree(path);
    RunDirectory.create(path, CONFIG).close();
    Files.writeString(path.resolve(RunLayout.METRICS), "1,64,loss,0.5\n1,64,", APPEND);
    Files.createDirectories(path.resolve("snapshots/tmp-17"));
    assertThat(RunDirectory.isAbandoned(path)).isTrue();

    RunDirectory.requireFree(path);
    RunDirectory.create(path, CONFIG).close();

    assertThat(path.resolve(RunLayout.METRICS)).content().hasLineCount(1);
    assertThat(path.resolve("snapshots")).doesNotExist();
  }

  /** Deleted snapshots do not make the metrics of a long training worthless. */
  @Test
  void shouldNotTakeARunForAbandonedThatHasMoreThanOneUpdate() throws Exception {
    Path path = directory.resolve("run");
    RunDirectory.create(path, CONFIG).close();
    Files.writeString(path.resolve(RunLayout.METRICS), "2,128,loss,0.5\n", APPEND);

    assertThatThrownBy(() -> RunDirectory.create(path, CONFIG))
        .hasMessageContaining("exists; choose another with --run");
    assertThat(path.resolve(RunLayout.METRICS)).content().hasLineCount(2);
  }

  @Test
  void shouldRefuseADirectoryOfSomethingElse() throws Exception {
    Files.writeString(directory.resolve("thesis.txt"), "years of work");

    assertThatThrownBy(() -> RunDirectory.requireFree(directory))
        .hasMessageContaining("exists; choose another with --run");
    assertThatThrownBy(() -> RunDirectory.create(directory, CONFIG))
        .hasMessageContaining("exists; choose another with --run");
    assertThat(directory).isDirectoryContaining("glob:**/thesis.txt");
  }
}
