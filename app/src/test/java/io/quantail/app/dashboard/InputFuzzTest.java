package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.BugDetectors;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.quantail.error.QuantailException;
import io.quantail.market.data.BarsOptions;
import io.quantail.market.data.BarsReader;
import io.quantail.market.data.DataException;
import io.quantail.run.metrics.MetricCsv;
import io.quantail.run.settings.YamlConfig;
import io.quantail.run.snapshot.SnapshotException;
import io.quantail.run.snapshot.SnapshotStore;
import io.quantail.state.HashedFileReader;
import io.quantail.state.Safetensors;
import io.quantail.state.StateException;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Any bytes where users' files and requests are read: a refusal in one line, or a result.
 *
 * <p>The build replays the inputs in {@code InputFuzzTestInputs}; {@code tools/fuzz TARGET MINUTES}
 * searches for new ones, guided by the branches that they reach.
 */
@Requirement("CKPT-4")
class InputFuzzTest {
  private static final String LONGEST = "24h"; // tools/fuzz ends it earlier
  private static final int PATIENCE_MILLIS = 5_000;

  private static Path directory;
  private static DashboardServer server;

  @BeforeAll
  static void start() throws IOException {
    directory = Files.createTempDirectory("fuzz");
    Files.createDirectories(directory.resolve("runs"));
    server =
        DashboardServer.start(
            new DashboardOptions(directory.resolve("runs"), "127.0.0.1", 0, null));
  }

  @AfterAll
  static void stop() {
    server.close();
    io.quantail.io.AtomicFiles.deleteDirectory(directory);
  }

  private static Path file(String name, byte[] content) throws IOException {
    return Files.write(directory.resolve(name), content);
  }

  private interface Reading {
    void run() throws IOException;
  }

  /** What the command prints as one line; everything else is a defect. */
  private static void read(Reading reading) {
    try {
      reading.run();
    } catch (QuantailException
        | SnapshotException
        | StateException
        | DataException
        | UncheckedIOException
        | IOException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  @FuzzTest(maxDuration = LONGEST)
  void yaml(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    read(() -> YamlConfig.parse(text, "fuzz.yaml", List.of()));
    read(() -> YamlConfig.parseStored(text, "fuzz.yaml"));
  }

  @FuzzTest(maxDuration = LONGEST)
  void metrics(byte[] data) throws IOException {
    Path file = file("metrics.csv", data);
    read(() -> MetricCsv.read(file));
    read(() -> MetricCsv.lastUpdate(file));
    read(() -> MetricCsv.truncateAfter(file, 3));
  }

  @FuzzTest(maxDuration = LONGEST)
  void safetensors(byte[] data) throws IOException {
    Path file = file("state.safetensors", data);
    read(
        () -> {
          try (HashedFileReader reader = new HashedFileReader(file)) {
            Safetensors.read(reader);
          }
        });
  }

  /** The hash at the end of the manifest is made right, so that its content is read. */
  @FuzzTest(maxDuration = LONGEST)
  void manifest(byte[] data) throws IOException {
    Path snapshot = Files.createDirectories(directory.resolve("update-00000001"));
    Files.write(snapshot.resolve("manifest.json"), data);
    read(() -> SnapshotStore.read(snapshot));
    String body = new String(data, StandardCharsets.UTF_8);
    String seal = io.quantail.io.Sha256.hex(body);
    Files.writeString(
        snapshot.resolve("manifest.json"),
        body + ",\n  \"manifestSha256\" : \"" + seal + "\"\n}\n");
    read(() -> SnapshotStore.read(snapshot));
    read(() -> SnapshotStore.clock(snapshot));
  }

  @FuzzTest(maxDuration = LONGEST)
  void bars(byte[] data) throws IOException {
    Path file = file("bars.csv", data);
    read(() -> BarsReader.read(file.toString(), new BarsOptions("", 0, true, true)));
  }

  /**
   * The server answers every request or closes the connection, and never with an error of its own.
   */
  @FuzzTest(maxDuration = LONGEST)
  void http(byte[] data) throws IOException {
    BugDetectors.allowNetworkConnections((host, port) -> port == server.port());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      byte[] answer;
      try {
        socket.getOutputStream().write(data);
        socket.shutdownOutput();
        answer = head(socket.getInputStream());
      } catch (java.net.SocketException closed) {
        return;
      }
      String line = new String(answer, StandardCharsets.ISO_8859_1).lines().findFirst().orElse("");
      assertThat(line).matches("|HTTP/1\\.[01] (?!500)[1-5][0-9][0-9].*");
    }
  }

  /** The first bytes; streams of events have no end. */
  private static byte[] head(InputStream input) throws IOException {
    return input.readNBytes(12);
  }
}
