package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quantail.app.command.ConfigSource;
import io.quantail.app.common.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every configuration in the repository works as it is. */
class ShippedConfigsTest {
  private static final Path ROOT = Path.of(System.getProperty("quantail.root"));

  @TempDir private Path directory;

  static List<Path> configs() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("configs"))) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> !file.toString().endsWith("-population.yaml"))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("configs")
  void shouldTrainForOneIteration(Path config) {
    if (config.getParent().endsWith("gymnasium")) {
      requirePackages();
    }
    Path run = directory.resolve("run");
    List<String> arguments = new ArrayList<>(List.of("train", config.toString(), "--json"));
    arguments.addAll(List.of("--steps", "1", "--run", run.toString()));
    arguments.addAll(List.of("--set", "evaluation.episodes=1"));
    if (config.getParent().endsWith("generated")) {
      arguments.addAll(List.of("--set", "market.data.files=[" + generated(config) + "]"));
    }

    Invocation invocation = Invocation.of(arguments.toArray(String[]::new));

    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.OK);
    assertThat(invocation.json().get("steps").longValue()).isPositive();
  }

  /** Skips tasks of Gymnasium where Python lacks them. */
  private static void requirePackages() {
    String python = System.getenv().getOrDefault("QUANTAIL_PYTHON", "python3");
    try {
      Process process =
          new ProcessBuilder(
                  python, "-c", "import gymnasium, Box2D, pygame, imageio, packaging, mujoco")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      assumeTrue(
          process.waitFor() == 0,
          python + " lacks gymnasium[box2d,mujoco]; QUANTAIL_PYTHON names another one");
    } catch (IOException missing) {
      assumeTrue(false, "there is no " + python + "; QUANTAIL_PYTHON names another one");
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Fewer bars than the second line of the configuration asks for, but made as it says. */
  private Path generated(Path config) {
    try {
      String[] words = Files.readAllLines(config).get(1).substring(1).strip().split(" ");
      assertThat(words).startsWith("quantail", "data", "generate").contains("--bars");
      Path bars = directory.resolve("bars.csv");
      List<String> arguments = new ArrayList<>(List.of(words).subList(1, words.length));
      arguments.set(3, bars.toString());
      arguments.set(arguments.indexOf("--bars") + 1, "3000");
      assertThat(Invocation.of(arguments.toArray(String[]::new)).code()).isEqualTo(ExitCode.OK);
      return bars;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void shouldTrainAPopulationForOneGeneration() {
    Invocation invocation =
        Invocation.of(
            "population",
            ROOT.resolve("configs/classic/cartpole-population.yaml").toString(),
            "--json",
            "--set",
            "population={size: 2, generations: 1, stepsPerGeneration: 1}",
            "--set",
            "evaluation.episodes=1",
            "--run",
            directory.resolve("population").toString());

    assertThat(invocation.code()).as(invocation.err()).isEqualTo(ExitCode.OK);
    assertThat(invocation.json().get("members")).hasSize(2);
  }

  @Test
  void shouldShowTheDemoAsAConfig() throws IOException {
    Path shown = ROOT.resolve("configs/market/stocks-demo.yaml");
    ConfigSource demo = ConfigSource.read(null, List.of());
    assertThat(demo.name()).isEqualTo("demo");
    assertThat(demo.config()).isEqualTo(ConfigSource.read(shown, List.of()).config());
  }

  @Test
  void shouldFindShippedConfigFromAnyDirectory() {
    String before = System.getProperty("quantail.home");
    System.setProperty("quantail.home", ROOT.toString());
    try {
      ConfigSource source = ConfigSource.read(Path.of("configs/classic/cartpole.yaml"), List.of());
      assertThat(source.name()).isEqualTo("cartpole");
      assertThat(source.config().environment().name()).isEqualTo("CartPole-v1");
    } finally {
      if (before == null) {
        System.clearProperty("quantail.home");
      } else {
        System.setProperty("quantail.home", before);
      }
    }
  }
}
