package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.run.RunStatus;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement("DASH-1")
class DashboardStreamsTest {
  @TempDir private Path directory;
  private final List<Socket> sockets = new ArrayList<>();
  private RunFixture run;
  private DashboardServer dashboard;

  @BeforeEach
  void start() {
    run = new RunFixture(directory.resolve("one")).begun("CartPole-v1", 100_000).rows("a", 3);
    dashboard = DashboardServer.start(new DashboardOptions(directory, "127.0.0.1", 0, null));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    dashboard.close();
  }

  @Test
  void shouldSendNewRowsAlertsAndStates() throws IOException, InterruptedException {
    Socket stream = listening("run=one");
    settle();
    run.append("metrics.csv", RunFixture.line(4, "a", 44.5));
    assertThat(RawHttpResponse.await(stream, "44.5"))
        .contains("event: rows\ndata: {\"run\":\"one\",\"after\":4096,")
        .contains("\"update\":4,\"steps\":8192,\"values\":{\"a\":44.5}");
    run.append(
        "alerts.jsonl", "{\"update\":4,\"steps\":8192,\"rule\":\"r\",\"state\":\"raised\"}\n");
    RawHttpResponse.await(stream, "event: alerts\ndata: {\"run\":\"one\"}");
    run.status(RunStatus.State.FINISHED, 4, Instant.now());
    RawHttpResponse.await(stream, "\"state\":\"FINISHED\"");
    new RunFixture(directory.resolve("two")).begun("x", 1);
    RawHttpResponse.await(stream, "event: runs");
  }

  @Test
  void shouldSendFinishedMembersOfAPopulation() throws IOException, InterruptedException {
    PopulationFixture many =
        new PopulationFixture(directory.resolve("many")).begun(3, 2).entry(0, 0, -1, 1.0);
    Socket stream = listening("run=one");
    RawHttpResponse.await(stream, "event: studies");
    many.entry(1, 0, -1, 2.0);
    RawHttpResponse.await(stream, "event: studies");
  }

  @Test
  void shouldSendAResetWhenALogIsTruncated() throws IOException, InterruptedException {
    Socket stream = listening("run=one");
    settle();
    run.rows("a", 2);
    RawHttpResponse.await(stream, "event: reset\ndata: {\"run\":\"one\"}");
    run.append("metrics.csv", RunFixture.line(3, "a", 33.25));
    RawHttpResponse.await(stream, "33.25");
    assertThat(RawHttpResponse.get(dashboard.port(), "/api/series?run=one&metric=a").body())
        .isEqualTo(
            "{\"steps\":6144,\"series\":{\"a\":{\"x\":[2048,4096,6144],\"y\":[1.0,2.0,33.25]}},"
                + "\"updates\":{\"x\":[2048,4096,6144],\"y\":[1.0,2.0,3.0]},"
                + "\"seconds\":{\"x\":[],\"y\":[]}}");
  }

  @Test
  void shouldServeTwoHundredClients() throws IOException, InterruptedException {
    for (int i = 0; i < 200; i++) {
      listening("run=one");
    }
    settle();
    run.append("metrics.csv", RunFixture.line(4, "a", 44.5));
    for (Socket socket : sockets) {
      assertThat(RawHttpResponse.await(socket, "44.5")).contains("event: rows");
    }
    assertThat(RawHttpResponse.get(dashboard.port(), "/api/runs").status()).isEqualTo(200);
  }

  @Test
  void shouldLimitClientsAndAcceptNewOnesLater() throws IOException, InterruptedException {
    for (int i = 0; i < EventBroadcaster.MOST_STREAMS; i++) {
      listening("run=one");
    }
    RawHttpResponse refused = RawHttpResponse.get(dashboard.port(), "/api/events");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.header("retry-after")).isEqualTo("10");
    assertThat(refused.body())
        .isEqualTo("256 pages are connected, which is the limit; close some of them\n");

    for (Socket socket : sockets) {
      socket.close();
    }
    // Sending to a closed connection fails and removes the client.
    for (int update = 4; dashboard.listeners() > 0 && update < 200; update++) {
      run.append("metrics.csv", RunFixture.line(update, "a", update));
      Thread.sleep(100);
    }
    assertThat(dashboard.listeners()).isZero();
    listening("run=one");
  }

  /** The other clients must not wait for it. */
  @Test
  void shouldDisconnectAClientThatDoesNotRead() throws IOException, InterruptedException {
    Socket slow = RawHttpResponse.listen(dashboard.port(), "run=one");
    slow.setReceiveBufferSize(4_096);
    sockets.add(slow);
    Socket quick = listening("run=one");
    await(() -> dashboard.listeners() == 2);
    settle();
    StringBuilder row = new StringBuilder();
    String name = "m".repeat(900);
    for (int update = 4; dashboard.listeners() == 2 && update < 400; update++) {
      row.setLength(0);
      for (int k = 0; k < 1_000; k++) {
        row.append(RunFixture.line(update, name + k, update));
      }
      run.append("metrics.csv", row.toString());
      RawHttpResponse.await(quick, "\"update\":" + update + ",");
    }
    assertThat(dashboard.listeners()).isEqualTo(1);
  }

  private Socket listening(String query) throws IOException {
    Socket socket = RawHttpResponse.listen(dashboard.port(), query);
    sockets.add(socket);
    RawHttpResponse.await(socket, "event: hello");
    return socket;
  }

  /** Waits for the first poll of the run, after which new rows are sent. */
  private void settle() throws InterruptedException {
    await(() -> dashboard.watches("one"));
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    for (int i = 0; i < 100 && !condition.getAsBoolean(); i++) {
      Thread.sleep(50);
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void shouldNotChangeRunDirectories() throws IOException, InterruptedException {
    byte[] before = Files.readAllBytes(run.path().resolve("metrics.csv"));
    listening("run=one");
    settle();
    for (String target : new String[] {"run?", "series?metric=a&", "equity?", "alerts?"}) {
      assertThat(RawHttpResponse.get(dashboard.port(), "/api/" + target + "run=one").status())
          .isEqualTo(200);
    }
    assertThat(Files.readAllBytes(run.path().resolve("metrics.csv"))).isEqualTo(before);
    try (var files = Files.walk(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              directory.getFileName().toString(), "one", "config.yaml", "run.json", "metrics.csv");
    }
  }
}
