package io.quantail.app.console;

import java.io.Console;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the command prints on: a terminal or not, its width, and whether it shows colours. */
public final class Terminal {
  /** Names the streams that are a terminal, {@code out} and {@code err}; the launcher sets it. */
  static final String STREAMS = "quantail.terminal";

  /** Width of the output; without it that of {@code COLUMNS}. */
  static final String COLUMNS = "quantail.columns";

  private static final int USUAL_WIDTH = 80;
  private static final int NARROWEST = 60;
  private static final int WIDEST_TEXT = 100; // longer lines are hard to read

  private Terminal() {}

  /** Number of columns for tables: that of the terminal, at least 60; 80 if it is not known. */
  public static int width() {
    return width(System.getProperty(COLUMNS, System.getenv("COLUMNS")));
  }

  static int width(@Nullable String columns) {
    return columns == null || !columns.matches("[0-9]{1,5}") || columns.equals("0")
        ? USUAL_WIDTH
        : Math.max(NARROWEST, Integer.parseInt(columns));
  }

  /** Number of columns for sentences. */
  public static int textWidth() {
    return Math.min(WIDEST_TEXT, width());
  }

  /** Whether standard output is a terminal. */
  public static boolean isOutput() {
    return is("out");
  }

  /** Whether standard error is a terminal. */
  public static boolean isErrors() {
    return is("err");
  }

  /** Whether a line on standard error can be drawn again in its place. */
  static boolean redraws() {
    return isErrors() && !"dumb".equals(System.getenv("TERM"));
  }

  /** Whether standard output shows colours. */
  public static boolean colours() {
    return isOutput() && colours(System.getenv());
  }

  /** Whether standard error shows colours. */
  static boolean errorColours() {
    return isErrors() && colours(System.getenv());
  }

  /** Whether a terminal is to show colours. See <a href="https://no-color.org">no-color.org</a>. */
  static boolean colours(Map<String, String> variables) {
    String terminal = variables.getOrDefault("TERM", "");
    return variables.getOrDefault("NO_COLOR", "").isEmpty()
        && !terminal.isEmpty()
        && !terminal.equals("dumb");
  }

  private static boolean is(String stream) {
    String streams = System.getProperty(STREAMS);
    return streams == null ? isConsole() : streams.contains(stream);
  }

  /** Whether input and output are a terminal; known without the launcher, too. */
  @SuppressWarnings("SystemConsoleNull") // before Java 22, null is the answer
  private static boolean isConsole() {
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
