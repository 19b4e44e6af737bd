package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.simd.VectorSupport;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Checks that the launchers have all options; without one, training is slower but does not fail.
 */
class JvmOptionsTest {
  @Test
  void shouldStartTrainingWithTheOptionsThatTheVectorsNeed() {
    Path launchers =
        Path.of(System.getProperty("quantail.root"), "distribution", "src", "main", "files");

    assertThat(launchers.resolve("quantail")).content().contains(VectorSupport.COMMAND_OPTIONS);
    assertThat(launchers.resolve("quantail.cmd")).content().contains(VectorSupport.COMMAND_OPTIONS);
  }

  @Test
  void shouldTestWithTheSameOptionsButWithChecksOfBounds() {
    List<String> checked =
        VectorSupport.JVM_OPTIONS.stream().filter(option -> !option.contains("OOB_CHECK")).toList();

    assertThat(checked).hasSize(VectorSupport.JVM_OPTIONS.size() - 1);
    assertThat(ManagementFactory.getRuntimeMXBean().getInputArguments()).containsAll(checked);
  }
}
