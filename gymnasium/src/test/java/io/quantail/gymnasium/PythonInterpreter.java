package io.quantail.gymnasium;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The Python interpreter of the tests: that of the system property or environment variable. */
final class PythonInterpreter {
  private static final String TASKS = "src.test.python.bridge_tasks:";
  private static final boolean USABLE = usable();

  private PythonInterpreter() {}

  static String path() {
    return GymnasiumFactory.defaultPython();
  }

  private static boolean usable() {
    try {
      Process process =
          new ProcessBuilder(
                  path(), "-c", "import gymnasium, numpy; gymnasium.vector.AutoresetMode")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException missing) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Skips a test where Gymnasium is not installed. */
  static void require() {
    assumeTrue(
        USABLE,
        "%s cannot import gymnasium 1.1 or newer; name another interpreter by -Dquantail.python or QUANTAIL_PYTHON"
            .formatted(path()));
  }

  /** An environment of {@code bridge_tasks.py}. */
  static GymnasiumFactory task(String name) {
    require();
    return GymnasiumEnvironment.make(TASKS + name).python(Path.of(path()));
  }
}
