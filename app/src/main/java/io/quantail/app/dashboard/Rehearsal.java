package io.quantail.app.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Lets the first page come as fast as later ones. A process that has just begun would make it wait
 * for the newest run to be read, for classes to be loaded and for the charting library to be
 * packed: a second and more. All of that is done beside the start, in threads of their own.
 */
final class Rehearsal {
  private static final List<String> PAGES =
      List.of("/", "/app.js", "/echarts-5.5.0/echarts.min.js", "/api/runs");

  private Rehearsal() {}

  /** Reads what the first page shows and answers what it will ask, for nobody. */
  static void ofAnswers(Api api) {
    start("answers", api::rehearse);
  }

  /** Asks the server once for what every page asks for. */
  static void ofRequests(DashboardOptions options, int port) {
    start("requests", () -> PAGES.forEach(page -> ask(options, port, page)));
  }

  private static void start(String what, Runnable work) {
    Thread thread = new Thread(work, "quantail-dashboard-" + what);
    thread.setDaemon(true);
    thread.start();
  }

  private static void ask(DashboardOptions options, int port, String page) {
    String token =
        options.token() == null ? "" : "Authorization: Bearer %s\r\n".formatted(options.token());
    String request =
        "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n%sConnection: close\r\n\r\n"
            .formatted(page, token);
    try (Socket socket = new Socket(options.host(), port);
        InputStream answer = socket.getInputStream()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      answer.readAllBytes();
    } catch (IOException closed) {
      // the server has been stopped meanwhile; nobody waits for this
    }
  }
}
