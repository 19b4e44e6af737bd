package io.quantail.gymnasium;

import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedEnvironmentFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Starts Python processes that run an environment of Gymnasium; immutable, every call of a setter
 * returns a new factory.
 *
 * <pre>{@code
 * GymnasiumEnvironment.make("LunarLander-v3").option("gravity", -9.5).processes(2)
 * }</pre>
 */
public final class GymnasiumFactory implements BatchedEnvironmentFactory {
  /** System property that names the Python interpreter. */
  static final String PYTHON_PROPERTY = "quantail.python";

  /** Environment variable that names the Python interpreter. */
  static final String PYTHON_VARIABLE = "QUANTAIL_PYTHON";

  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final String id;
  private final String python;
  private final Map<String, Object> options;
  private final int processes;
  private final Duration deadline;

  private GymnasiumFactory(
      String id, String python, Map<String, Object> options, int processes, Duration deadline) {
    this.id = id;
    this.python = python;
    this.options = Collections.unmodifiableMap(options);
    this.processes = processes;
    this.deadline = deadline;
  }

  static GymnasiumFactory of(String id) {
    if (id.isBlank()) {
      throw new IllegalArgumentException(
          "the name of a Gymnasium environment must not be blank; LunarLander-v3 is one");
    }
    return new GymnasiumFactory(id, defaultPython(), Map.of(), 1, DEADLINE);
  }

  static String defaultPython() {
    String property = System.getProperty(PYTHON_PROPERTY);
    String variable = System.getenv(PYTHON_VARIABLE);
    return property != null ? property : variable != null ? variable : "python3";
  }

  /**
   * Chooses the Python interpreter, for example the one of a virtual environment.
   *
   * @param interpreter default: the system property {@code quantail.python}, else the environment
   *     variable {@code QUANTAIL_PYTHON}, else {@code python3}
   * @return a factory with this interpreter
   */
  public GymnasiumFactory python(Path interpreter) {
    return new GymnasiumFactory(id, interpreter.toString(), options, processes, deadline);
  }

  /**
   * Adds a keyword argument of {@code gymnasium.make}.
   *
   * @param name of the argument
   * @param value a text, a number, a boolean, null, or a list or map of these
   * @return a factory with this option
   */
  public GymnasiumFactory option(String name, @Nullable Object value) {
    Map<String, @Nullable Object> more = new LinkedHashMap<>(options);
    more.put(name, value);
    return new GymnasiumFactory(id, python, more, processes, deadline);
  }

  /**
   * Divides the environments of a run among several Python processes, which run at the same time.
   *
   * @param count at least 1, the default
   * @return a factory that starts that many processes, or one for each environment if these are
   *     fewer
   */
  public GymnasiumFactory processes(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("there must be at least 1 process, was " + count);
    }
    return new GymnasiumFactory(id, python, options, count, deadline);
  }

  /**
   * Sets the longest time of a call; a process that takes longer is ended.
   *
   * @param longest time of a start, a step or a reset; default one minute
   * @return a factory with this deadline
   */
  public GymnasiumFactory deadline(Duration longest) {
    if (longest.isNegative() || longest.isZero()) {
      throw new IllegalArgumentException("the deadline must be positive, was " + longest);
    }
    return new GymnasiumFactory(id, python, options, processes, longest);
  }

  @Override
  public BatchedEnvironment createBatch(int count) {
    return new GymnasiumEnvironment(this, count);
  }

  @Override
  public int simulators(int count) {
    return Math.min(processes, count);
  }

  String id() {
    return id;
  }

  Map<String, Object> options() {
    return options;
  }

  Duration deadline() {
    return deadline;
  }

  /** The command that starts the helper. */
  List<String> command(Path archive, Path socket) {
    return List.of(python, "-c", START, archive.toString(), socket.toString());
  }

  /**
   * The archive comes first and the working directory last, so that no file there hides a module.
   */
  private static final String START =
      "import os, sys; sys.path[0:1] = [sys.argv.pop(1)]; sys.path.append(os.getcwd());"
          + " from quantail_gymnasium.__main__ import main; main()";

  @Override
  public String toString() {
    return "Gymnasium " + id + (options.isEmpty() ? "" : " " + options);
  }
}
