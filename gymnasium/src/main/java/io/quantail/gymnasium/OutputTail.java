package io.quantail.gymnasium;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Reads what a process prints, so that it never waits for a reader, and keeps the last lines for
 * messages.
 */
final class OutputTail {
  private static final int LINES = 12;
  private static final int LINE_LENGTH = 300;
  private static final long PATIENCE_MILLIS = 500;

  private final Deque<String> lines = new ArrayDeque<>();
  private final Thread reader;

  OutputTail(InputStream output) {
    reader = new Thread(() -> read(output), "quantail-gymnasium-output");
    reader.setDaemon(true);
    reader.start();
  }

  private void read(InputStream output) {
    // The default decoder replaces what is no UTF-8.
    try (BufferedReader text =
        new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        keep(line.length() <= LINE_LENGTH ? line : line.substring(0, LINE_LENGTH) + "…");
      }
    } catch (IOException ended) {
      // The process has ended.
    }
  }

  private synchronized void keep(String line) {
    if (lines.size() == LINES) {
      lines.removeFirst();
    }
    lines.addLast(line);
  }

  /** The last lines, complete if the process has ended; empty if it printed nothing. */
  String text(boolean ended) {
    if (ended) {
      try {
        TimeUnit.MILLISECONDS.timedJoin(reader, PATIENCE_MILLIS);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    synchronized (this) {
      return String.join("\n", lines).strip();
    }
  }
}
