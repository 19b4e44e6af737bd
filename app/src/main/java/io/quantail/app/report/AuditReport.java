package io.quantail.app.report;

import io.quantail.audit.AuditFinding;
import io.quantail.audit.AuditOutcome.Status;
import io.quantail.audit.AuditResult;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Renders the result of an audit as one HTML page without scripts and external resources.
 *
 * @param name of the configuration or run
 */
public record AuditReport(String name, AuditResult result) {
  private static final Map<Character, String> ESCAPES =
      Map.of('&', "&amp;", '<', "&lt;", '>', "&gt;", '"', "&quot;", '\'', "&#39;");
  private static final String STYLE =
      """
      :root { color-scheme: light dark; }
      body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
      table { border-collapse: collapse; width: 100%; table-layout: fixed; }
      th:first-child { width: 58%; }
      caption { text-align: left; font-weight: 600; font-size: 1.15rem; padding: 1.5rem 0 .4rem; }
      th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-top: 1px solid #8884; }
      td.number { font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
      small { opacity: .75; display: block; overflow-wrap: anywhere; }
      .fail { font-weight: 700; color: light-dark(#a40000, #ff9c9c); }
      .pass { color: light-dark(#00611c, #7fdc9a); }
      .skipped, .info { opacity: .75; }
      @media (max-width: 40rem) { th, td { padding: .35rem .2rem; } th:first-child { width: 42%; } }
      """;

  public String html() {
    StringBuilder page = new StringBuilder();
    page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    page.append(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n");
    page.append("<title>Audit of ").append(escaped(name)).append("</title>\n");
    page.append("<style>\n").append(STYLE).append("</style>\n</head>\n<body>\n");
    page.append("<h1>Audit of ").append(escaped(name)).append("</h1>\n<p>");
    page.append(escaped(result.summary())).append(".</p>\n");
    List<AuditFinding> findings = result.checks();
    List<AuditFinding> failures = result.with(Status.FAIL);
    if (!failures.isEmpty()) {
      table(page, "Failures", failures);
    }
    findings.stream()
        .map(AuditFinding::topic)
        .distinct()
        .forEach(
            topic ->
                table(
                    page,
                    topic.substring(0, 1).toUpperCase(Locale.ROOT) + topic.substring(1),
                    findings.stream().filter(finding -> finding.topic().equals(topic)).toList()));
    return page.append("</body>\n</html>\n").toString();
  }

  private static void table(StringBuilder page, String title, List<AuditFinding> rows) {
    page.append("<table>\n<caption>").append(escaped(title)).append("</caption>\n");
    page.append("<thead><tr><th scope=\"col\">Check</th><th scope=\"col\">Measured</th>");
    page.append(
        "<th scope=\"col\">Bound</th><th scope=\"col\">Status</th></tr></thead>\n<tbody>\n");
    for (AuditFinding row : rows) {
      String status = row.verdict().name().toLowerCase(Locale.ROOT);
      page.append("<tr><td>").append(escaped(row.check()));
      page.append("<small>").append(escaped(row.compares())).append("</small>");
      if (!row.detail().isEmpty()) {
        page.append("<small>").append(escaped(row.detail())).append("</small>");
      }
      page.append("<small>").append(escaped(String.join(", ", row.requirements())));
      page.append("</small><small>").append(escaped(String.join(", ", row.exercises())));
      page.append("</small></td><td class=\"number\">").append(escaped(row.measured()));
      page.append("</td><td class=\"number\">").append(escaped(row.bound()));
      page.append("</td><td class=\"").append(status).append("\">").append(status);
      page.append("</td></tr>\n");
    }
    page.append("</tbody>\n</table>\n");
  }

  private static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char character = text.charAt(i);
      safe.append(ESCAPES.getOrDefault(character, String.valueOf(character)));
    }
    return safe.toString();
  }
}
