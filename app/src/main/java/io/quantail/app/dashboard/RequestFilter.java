package io.quantail.app.dashboard;

import io.quantail.io.Sha256;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The filter that every request passes first: checks host name, method, origin and token, and sets
 * the security headers of the response.
 *
 * <p>Another web site could let its own host name resolve to this server and then read the
 * responses as its own (DNS rebinding). Such a request carries that name in {@code Host}, so only
 * IP addresses, {@code localhost} and the name of {@code --host} are accepted. {@code
 * DashboardSecurityTest} pins the rules.
 */
final class RequestFilter implements Filter {
  private static final Pattern ADDRESS =
      Pattern.compile("\\d{1,3}(?:\\.\\d{1,3}){3}|\\[[0-9a-fA-F:.]+]");
  private static final Set<String> METHODS = Set.of("GET", "HEAD");
  private static final String BEARER = "Bearer ";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final String host;
  private final @Nullable String token; // null if none is required
  private final String session;

  RequestFilter(String host, @Nullable String token) {
    this.host = host;
    this.token = token;
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    session = HexFormat.of().formatHex(random);
  }

  @Override
  public void doFilter(ServletRequest any, ServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    HttpServletRequest request = (HttpServletRequest) any;
    HttpServletResponse response = (HttpServletResponse) answer;
    protect(response);
    if (!isOwnName(request.getHeader("Host"))) {
      refuse(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "this host name is not the dashboard's; open it by its IP address, or start it with --host NAME");
    } else if (!METHODS.contains(request.getMethod())) {
      response.setHeader("Allow", "GET, HEAD");
      refuse(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED, "the dashboard is read-only");
    } else if (isForeign(request)) {
      refuse(
          response,
          HttpServletResponse.SC_FORBIDDEN,
          "requests for data from other sites are refused");
    } else if (token == null || isKnown(request)) {
      chain.doFilter(request, response);
    } else if (isEqual(token, request.getParameter("token"))) {
      admit(request, response);
    } else {
      refuse(
          response,
          HttpServletResponse.SC_UNAUTHORIZED,
          "a token is required: open the address that was printed at the start, or send"
              + " Authorization: Bearer TOKEN");
    }
  }

  private static void protect(HttpServletResponse response) {
    response.setHeader("Content-Security-Policy", POLICY);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("X-Frame-Options", "DENY");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
  }

  /** The port is ignored: a tunnel may use another one. */
  private boolean isOwnName(String header) {
    if (header == null) {
      return false;
    }
    String name = header.replaceFirst(":\\d{1,5}$", "").toLowerCase(Locale.ROOT);
    return name.equals("localhost")
        || name.equals(host.toLowerCase(Locale.ROOT))
        || ADDRESS.matcher(name).matches();
  }

  /** Whether another site requests data; following a link to the page is allowed. */
  private static boolean isForeign(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    return site != null
        && !site.equals("same-origin")
        && !site.equals("none")
        && request.getRequestURI().startsWith("/api/");
  }

  private boolean isKnown(HttpServletRequest request) {
    String authorization = request.getHeader("Authorization");
    if (authorization != null && authorization.startsWith(BEARER)) {
      return isEqual(Objects.requireNonNull(token), authorization.substring(BEARER.length()));
    }
    if (request.getCookies() != null) {
      for (Cookie cookie : request.getCookies()) {
        if (cookie.getName().equals(cookieName(request)) && isEqual(session, cookie.getValue())) {
          return true;
        }
      }
    }
    return false;
  }

  /** Replaces the token in the address by a cookie that scripts cannot read. */
  private void admit(HttpServletRequest request, HttpServletResponse response) {
    response.setHeader(
        "Set-Cookie",
        "%s=%s; Path=/; HttpOnly; SameSite=Strict".formatted(cookieName(request), session));
    response.setHeader("Location", "/");
    response.setHeader("Cache-Control", "no-store");
    response.setStatus(HttpServletResponse.SC_SEE_OTHER);
  }

  /** Cookies ignore ports, so each port of a machine needs a cookie name of its own. */
  private static String cookieName(HttpServletRequest request) {
    return "quantail-dashboard-" + request.getServerPort();
  }

  /** Compares in a time that does not depend on where the two differ. */
  private static boolean isEqual(String secret, String given) {
    return given != null && MessageDigest.isEqual(Sha256.bytes(secret), Sha256.bytes(given));
  }

  static void refuse(HttpServletResponse response, int status, String why) throws IOException {
    response.setStatus(status);
    response.setContentType("text/plain;charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.getOutputStream().write((why + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
