package io.quantail.app.console;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Progress of a training: its share, the speed of the last seconds and the time left at this speed.
 *
 * <p>On a terminal it is one line that is drawn again, five times a second at most. Elsewhere it is
 * a line at every tenth of the run, five seconds apart at least, and one every minute.
 */
final class ProgressLine {
  private static final long SECOND = 1_000_000_000L;
  private static final long WINDOW = 10 * SECOND;
  private static final long REDRAW = SECOND / 5;
  private static final long SHORTEST_PAUSE = 5 * SECOND;
  private static final long LONGEST_PAUSE = 60 * SECOND;
  private static final int TENTHS = 10;
  private static final int BAR = 20;
  private static final String ERASE = "\r\u001b[K";

  private final PrintStream output;
  private final boolean redraws;
  private final LongSupplier clock; // in nanoseconds
  private final Deque<Moment> moments = new ArrayDeque<>();
  private long total = 1;
  private long lastPrinted;
  private int tenthsPrinted;
  private String drawn = ""; // what stands on the terminal's line now

  /**
   * @param time in nanoseconds
   * @param steps done by then
   */
  private record Moment(long time, long steps) {}

  ProgressLine(PrintStream output, boolean redraws, LongSupplier clock) {
    this.output = output;
    this.redraws = redraws;
    this.clock = clock;
  }

  /** Begins to measure the speed. */
  void start(long done, long steps) {
    total = Math.max(1, steps);
    tenthsPrinted = tenths(done);
    lastPrinted = clock.getAsLong() - SHORTEST_PAUSE;
    moments.clear();
    moments.add(new Moment(clock.getAsLong(), done));
  }

  /**
   * Shows that more steps are done.
   *
   * @param details the most important first; those that do not fit are left out
   */
  void update(long steps, List<String> details) {
    long now = clock.getAsLong();
    moments.add(new Moment(now, steps));
    while (moments.size() > 2 && now - moments.getFirst().time() > WINDOW) {
      moments.removeFirst();
    }
    boolean last = steps >= total;
    if (redraws) {
      if (last || now - lastPrinted >= REDRAW) {
        lastPrinted = now;
        draw(line(steps, details));
      }
      return;
    }
    boolean newTenth = tenths(steps) > tenthsPrinted && now - lastPrinted >= SHORTEST_PAUSE;
    if (last || newTenth || now - lastPrinted >= LONGEST_PAUSE) {
      lastPrinted = now;
      tenthsPrinted = tenths(steps);
      output.println(line(steps, details));
    }
  }

  private int tenths(long steps) {
    return (int) (TENTHS * Math.min(total, steps) / total);
  }

  /** Steps per second between the first and the last moment of the window. */
  private double rate() {
    Moment first = moments.getFirst();
    Moment last = moments.getLast();
    double seconds = (last.time() - first.time()) / (double) SECOND;
    return seconds > 0 ? (last.steps() - first.steps()) / seconds : 0;
  }

  private String line(long steps, List<String> details) {
    double share = Math.min(1, steps / (double) total);
    double rate = rate();
    StringBuilder line = new StringBuilder();
    if (redraws) {
      int full = (int) (BAR * share);
      line.append("█".repeat(full)).append("░".repeat(BAR - full)).append(' ');
    }
    line.append(String.format(Locale.ROOT, "%3d %%", (int) (100 * share)));
    if (!redraws) {
      line.append(String.format(Locale.ROOT, "  %,d steps", steps));
    }
    if (rate > 0) {
      line.append(String.format(Locale.ROOT, "  %,.0f/s", rate));
      if (steps < total) {
        line.append("  ").append(Times.written((total - steps) / rate)).append(" left");
      }
    }
    for (String detail : details) {
      // The last column stays free: some terminals begin a new line after it.
      if (line.length() + 2 + detail.length() >= Terminal.width()) {
        break;
      }
      line.append("  ").append(detail);
    }
    return line.toString();
  }

  /** Shows what the command does while no steps are done; only a terminal shows it. */
  void show(String activity) {
    if (redraws) {
      draw(activity);
    }
  }

  private void draw(String line) {
    drawn = line.length() < Terminal.width() ? line : line.substring(0, Terminal.width() - 1);
    output.print(ERASE + drawn);
    output.flush();
  }

  /** Whether the line is drawn again and again, so that others have to be printed above it. */
  boolean redraws() {
    return redraws;
  }

  /** Prints a line that stays, above the progress on a terminal. */
  void print(String line) {
    if (drawn.isEmpty()) {
      output.println(line);
    } else {
      output.print(ERASE + line + System.lineSeparator() + drawn);
      output.flush();
    }
  }

  /** Removes the line from the terminal. */
  void end() {
    if (!drawn.isEmpty()) {
      output.print(ERASE);
      output.flush();
      drawn = "";
    }
  }
}
