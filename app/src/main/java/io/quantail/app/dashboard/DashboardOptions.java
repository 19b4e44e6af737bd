package io.quantail.app.dashboard;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Options of a dashboard: its runs, its address and its access token.
 *
 * @param runs a directory of runs, or a single run
 * @param host address or name to listen on; any but a loopback address needs a token
 * @param port to listen on, 0 to 65535; 0 chooses a free one
 * @param token access token that clients must send, at least {@value #SHORTEST_TOKEN} characters;
 *     null for no token
 */
public record DashboardOptions(Path runs, String host, int port, @Nullable String token) {
  /** Listens on this machine only. */
  public static final String DEFAULT_HOST = "127.0.0.1";

  /** Port of the dashboard unless another is given. */
  public static final int DEFAULT_PORT = 8765;

  private static final int SHORTEST_TOKEN = 16;

  /** Checks the options. */
  public DashboardOptions {
    if (!Files.isDirectory(runs)) {
      throw new IllegalArgumentException(
          "there is no directory %s; name a directory of runs".formatted(runs));
    }
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("--port must be in 0 to 65535, was " + port);
    }
    if (token != null && (token.length() < SHORTEST_TOKEN || !token.matches("[\\x21-\\x7e]+"))) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "--token must have at least %d visible ASCII characters without spaces, had %d; create one with: openssl rand -hex 16",
              SHORTEST_TOKEN,
              token.length()));
    }
    if (token == null && !isLoopback(host)) {
      throw new IllegalArgumentException(
          "--host %s lets other machines read the runs; add --token, or omit --host"
              .formatted(host));
    }
  }

  private static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      throw new IllegalArgumentException(
          "--host %s is not an address of this machine; use an address such as %s or 0.0.0.0"
              .formatted(host, DEFAULT_HOST),
          unknown);
    }
  }
}
