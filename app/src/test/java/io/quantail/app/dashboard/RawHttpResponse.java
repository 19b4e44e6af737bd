package io.quantail.app.dashboard;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * The response to a request that is sent as raw bytes, because a client library would correct it.
 *
 * @param status of the response
 * @param headers of the response, names in lower case
 * @param bytes of the body
 */
record RawHttpResponse(int status, Map<String, String> headers, byte[] bytes) {
  private static final int PATIENCE_MILLIS = 10_000;

  static RawHttpResponse get(int port, String target, String... headers) throws IOException {
    return send(port, "GET", target, headers);
  }

  /** Sends a request with these header lines, and the correct Host unless one is given. */
  static RawHttpResponse send(int port, String method, String target, String... headers)
      throws IOException {
    StringBuilder request = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    if (!String.join("\n", headers).contains("Host:")) {
      request.append("Host: 127.0.0.1:").append(port).append("\r\n");
    }
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    request.append("Connection: close\r\n\r\n");
    try (Socket socket = connect(port, request.toString())) {
      return read(socket.getInputStream());
    }
  }

  /** A connection on which a request has been sent. */
  static Socket connect(int port, String request) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return socket;
  }

  /** A stream of events, open after its first line has come. */
  static Socket listen(int port, String query) throws IOException {
    return connect(
        port, "GET /api/events?%s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n".formatted(query, port));
  }

  /** Reads a stream until a text has come; fails if it does not come in time. */
  static String await(Socket socket, String text) throws IOException {
    ByteArrayOutputStream seen = new ByteArrayOutputStream();
    InputStream input = socket.getInputStream();
    byte[] buffer = new byte[8_192];
    while (!seen.toString(StandardCharsets.UTF_8).contains(text)) {
      int read;
      try {
        read = input.read(buffer);
      } catch (SocketTimeoutException late) {
        throw new AssertionError("waited in vain for " + text + " after: " + seen, late);
      }
      if (read < 0) {
        throw new AssertionError("the stream ended before " + text + ": " + seen);
      }
      seen.write(buffer, 0, read);
    }
    return seen.toString(StandardCharsets.UTF_8);
  }

  private static RawHttpResponse read(InputStream stream) throws IOException {
    InputStream input = new BufferedInputStream(stream);
    String status = readLine(input);
    Map<String, String> headers = new TreeMap<>();
    String line;
    while (!(line = readLine(input)).isEmpty()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    byte[] body =
        headers.getOrDefault("transfer-encoding", "").equals("chunked")
            ? chunks(input)
            : input.readAllBytes();
    return new RawHttpResponse(Integer.parseInt(status.split(" ")[1]), headers, body);
  }

  private static byte[] chunks(InputStream input) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    int size;
    while ((size = Integer.parseInt(readLine(input), 16)) > 0) {
      all.write(input.readNBytes(size));
      readLine(input);
    }
    return all.toByteArray();
  }

  private static String readLine(InputStream input) throws IOException {
    StringBuilder line = new StringBuilder();
    int next;
    while ((next = input.read()) >= 0 && next != '\n') {
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }

  String header(String name) {
    return headers.get(name.toLowerCase(Locale.ROOT));
  }

  String body() throws IOException {
    byte[] plain = bytes;
    if ("gzip".equals(header("content-encoding"))) {
      plain = new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
    }
    return new String(plain, StandardCharsets.UTF_8);
  }
}
