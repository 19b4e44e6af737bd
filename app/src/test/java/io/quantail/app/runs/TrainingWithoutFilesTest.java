package io.quantail.app.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.Settings;
import io.quantail.Training;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TrainingWithoutFilesTest {
  /**
   * Reports are found by ServiceLoader, also by programs that have the command beside the library.
   */
  @Test
  void shouldTrainWithoutDirectoryAlthoughReportsAreOnTheClassPath() {
    Settings settings =
        Settings.defaults()
            .with("environment.name", "CartPole-v1")
            .with("environment.count", 4)
            .with("network.hidden", 8)
            .with("evaluation.episodes", 2)
            .with("training.steps", 1024);
    assertThat(Training.from(settings).run().steps()).isEqualTo(1024);
    assertThat(Path.of("memory")).doesNotExist();
  }
}
