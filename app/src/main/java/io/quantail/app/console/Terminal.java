package io.quantail.app.console;

import java.io.Console;

/** Tells whether a person at a terminal reads what the command prints. */
public final class Terminal {
  private Terminal() {}

  /** Whether input and output are a terminal. */
  @SuppressWarnings("SystemConsoleNull") // before Java 22, null is the answer
  public static boolean isPresent() {
    Console console = System.console();
    return console != null && isTerminal(console);
  }

  /**
   * Since Java 22 there may be a console without a terminal; before, {@code isTerminal} is absent.
   */
  private static boolean isTerminal(Console console) {
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException older) {
      return true;
    } catch (ReflectiveOperationException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
