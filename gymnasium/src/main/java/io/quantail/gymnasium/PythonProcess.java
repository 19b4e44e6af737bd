package io.quantail.gymnasium;

import io.quantail.env.EnvironmentException;
import io.quantail.io.CloseAll;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Python process that has connected to this one.
 *
 * <p>It cannot outlive this process: its standard input ends with it, and the helper watches that.
 */
final class PythonProcess implements AutoCloseable {
  private static final long POLL_MILLIS = 100;
  private static final long EXIT_MILLIS = 2_000;

  private final String name;
  private final Process process;
  private final OutputTail output;
  private @Nullable Path directory;
  private @Nullable MessageChannel channel;

  private PythonProcess(String name, Process process, Path directory) {
    this.name = name;
    this.process = process;
    this.directory = directory;
    this.output = new OutputTail(process.getInputStream());
  }

  /** Makes the command from the helper's archive and the socket. */
  interface Command {
    List<String> of(Path archive, Path socket);
  }

  /**
   * Starts a process and waits until it connects.
   *
   * @param name of the environment, for messages
   */
  static PythonProcess start(String name, Command command, Duration deadline) {
    Path directory = null;
    try {
      directory = Files.createTempDirectory("quantail");
      Path archive = directory.resolve("helper.zip");
      HelperArchive.write(archive);
      Path socket = directory.resolve("socket");
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(socket));
        List<String> line = command.of(archive, socket);
        PythonProcess started = new PythonProcess(name, launch(line), directory);
        try {
          started.channel = new MessageChannel(started.accept(server, deadline));
          return started;
        } catch (IOException | RuntimeException failure) {
          started.close();
          throw failure;
        }
      }
    } catch (IOException failure) {
      delete(directory);
      throw new EnvironmentException(
          "cannot start the Python process of " + name + ": " + failure, failure);
    } catch (RuntimeException failure) {
      delete(directory);
      throw failure;
    }
  }

  private static Process launch(List<String> line) {
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
    builder.environment().put("PYTHONUNBUFFERED", "1");
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    try {
      return builder.start();
    } catch (IOException missing) {
      throw new EnvironmentException(
          "cannot start the Python interpreter %s: %s; install Python 3.10 or newer with gymnasium, or name"
                  .formatted(line.get(0), missing.getMessage())
              + " another interpreter in the environment variable "
              + GymnasiumFactory.PYTHON_VARIABLE,
          missing);
    }
  }

  private SocketChannel accept(ServerSocketChannel server, Duration deadline) throws IOException {
    long end = System.nanoTime() + deadline.toNanos();
    server.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      server.register(selector, SelectionKey.OP_ACCEPT);
      while (true) {
        selector.select(POLL_MILLIS);
        SocketChannel accepted = server.accept();
        if (accepted != null) {
          return accepted;
        }
        if (!process.isAlive()) {
          throw died("its start");
        }
        if (System.nanoTime() > end) {
          throw hung("its start", deadline);
        }
      }
    }
  }

  MessageChannel channel() {
    return Objects.requireNonNull(channel);
  }

  long pid() {
    return process.pid();
  }

  /** Deletes the files of the start; Python has imported what it needs. */
  void started() {
    delete(directory);
    directory = null;
  }

  /** Ends a process that did not answer, and describes that. */
  EnvironmentException hung(String during, Duration deadline) {
    process.destroyForcibly();
    return new EnvironmentException(
        "the Python process of %s did not finish %s within %s s and was ended; correct the environment or allow a"
                .formatted(name, during, seconds(deadline))
            + " longer deadline"
            + printed(false),
        null,
        EnvironmentException.Kind.TIMEOUT);
  }

  /** Describes the end of a process that closed its connection. */
  EnvironmentException died(String during) {
    String end = "closed its connection";
    boolean ended = false;
    try {
      ended = process.waitFor(EXIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    if (ended) {
      int code = process.exitValue();
      end = code > 128 ? "was killed by signal " + (code - 128) : "ended with exit code " + code;
    }
    process.destroyForcibly();
    return new EnvironmentException(
        "the Python process of %s %s during %s%s".formatted(name, end, during, printed(ended)),
        null,
        EnvironmentException.Kind.EXCEPTION);
  }

  /** Ends a process that does not speak the protocol, and describes that. */
  EnvironmentException foreign(String what) {
    process.destroyForcibly();
    return new EnvironmentException(
        String.format(
                Locale.ROOT,
                "the Python process of %s does not speak version %d of the protocol: %s; use the helper of this version of",
                name,
                MessageChannel.VERSION,
                what)
            + " Quantail"
            + printed(false));
  }

  private String printed(boolean ended) {
    String text = output.text(ended);
    return text.isEmpty() ? "; it printed nothing" : "; the last it printed:\n" + text;
  }

  private static String seconds(Duration duration) {
    return duration.toMillis() % 1000 == 0
        ? Long.toString(duration.toSeconds())
        : Double.toString(duration.toMillis() / 1000.0);
  }

  /** Ends the process without waiting for a call that is under way. */
  void kill() {
    process.destroyForcibly();
  }

  /** Asks the process to end; ends it if it does not. */
  @Override
  public void close() {
    MessageChannel open = channel;
    if (open != null && process.isAlive()) {
      try {
        open.begin(MessageChannel.CLOSE, 0);
        open.send(Duration.ofMillis(EXIT_MILLIS));
        process.waitFor(EXIT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (IOException gone) {
        // The process has ended already.
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    process.destroyForcibly();
    if (open != null) {
      open.close();
    }
    closeQuietly();
    delete(directory);
  }

  private void closeQuietly() {
    try {
      CloseAll.close(List.of(process.getOutputStream()));
    } catch (Exception ignored) {
      // The process has ended.
    }
  }

  private static void delete(@Nullable Path directory) {
    if (directory == null) {
      return;
    }
    for (String name : List.of("helper.zip", "socket", "")) {
      try {
        Files.deleteIfExists(directory.resolve(name));
      } catch (IOException left) {
        // A file in the temporary directory does no harm.
      }
    }
  }
}
