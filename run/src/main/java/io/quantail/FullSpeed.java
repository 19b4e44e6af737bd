package io.quantail;

import io.quantail.kernel.VectorInstructions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * Prepares this JVM for full speed, once: it tells the compiler not to inline the loops in vector
 * instructions, which concerns classes of Quantail only. It logs one line and changes no result.
 *
 * <p>{@code -Dquantail.compilerDirectives=false} switches it off.
 */
final class FullSpeed {
  private static final String PROPERTY = "quantail.compilerDirectives";

  private FullSpeed() {}

  /** Does nothing after the first call. */
  static void prepare() {
    Once.LOGGED.run();
  }

  /** Loaded by the first call. */
  private static final class Once {
    static final Runnable LOGGED = log();

    private static Runnable log() {
      System.getLogger("io.quantail").log(System.Logger.Level.INFO, FullSpeed.outcome());
      return () -> {};
    }
  }

  /** Adds the directives if they help; returns the line to log. */
  private static String outcome() {
    if (!VectorInstructions.inUse()) {
      return "vector instructions are not in use; for more speed and the same results start Java"
          + " with --add-modules=jdk.incubator.vector";
    }
    if (VectorInstructions.hasOptions(ManagementFactory.getRuntimeMXBean().getInputArguments())) {
      return "vector instructions are in use, with the options of the command line";
    }
    if (!Boolean.parseBoolean(System.getProperty(PROPERTY, "true"))) {
      return "vector instructions are in use, without compiler directives (-D" + PROPERTY + ")";
    }
    try {
      add(VectorInstructions.compilerDirectives());
      return "vector instructions are in use, with compiler directives for io.quantail; switch them"
          + " off with -D"
          + PROPERTY
          + "=false";
    } catch (JMException | IOException unavailable) {
      return "vector instructions are in use; compiler directives cannot be added: " + unavailable;
    }
  }

  private static void add(String directives) throws JMException, IOException {
    Path file = Files.createTempFile("quantail", ".json");
    try {
      Files.writeString(file, directives);
      String answer =
          (String)
              ManagementFactory.getPlatformMBeanServer()
                  .invoke(
                      new ObjectName("com.sun.management:type=DiagnosticCommand"),
                      "compilerDirectivesAdd",
                      new Object[] {new String[] {file.toString()}},
                      new String[] {String[].class.getName()});
      if (!answer.contains("1 compiler directives added")) {
        throw new IOException(answer.strip());
      }
    } finally {
      Files.delete(file);
    }
  }
}
