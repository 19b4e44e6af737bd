package io.quantail.app.dashboard;

import io.javalin.Javalin;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import io.quantail.app.report.ReportPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Serves the HTML pages that commands write into directories of runs, studies and populations:
 * {@code /reports/RUN/report.html}, so that links between them work.
 *
 * <p>Such a directory may come from elsewhere, so its pages are not trusted. A page that this build
 * wrote gets the policy that allows only its own two scripts. Any other page is put in a sandbox:
 * its scripts run, but as those of another site, and load nothing.
 */
final class ReportPages {
  static final String ROOT = "/reports/";

  private static final Pattern NAME =
      Pattern.compile("(?:report(?:-[a-z]{1,20})?|robustness|audit)\\.html");
  private static final int HEAD_BYTES = 4_096;
  private static final long LARGEST_PAGE = 128 << 20;
  private static final String NO_FRAMES = "; frame-ancestors 'none'";
  private static final String SANDBOX =
      "sandbox allow-scripts allow-downloads; default-src 'none';"
          + " script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:;"
          + " base-uri 'none'; form-action 'none'"
          + NO_FRAMES;

  private final RunCache store;

  ReportPages(RunCache store) {
    this.store = store;
  }

  void register(Javalin server) {
    server.get(ROOT + "<page>", this::page);
  }

  /** Names of the pages of a directory, the report first. */
  static List<String> names(RunFiles folder) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder.path(), "*.html")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (NAME.matcher(name).matches() && folder.stamp(name).isPresent()) {
          names.add(name);
        }
      }
    } catch (IOException gone) {
      return List.of();
    }
    Collections.sort(names);
    Collections.sort(
        names, (a, b) -> Boolean.compare(b.equals("report.html"), a.equals("report.html")));
    return names;
  }

  private void page(Context context) throws IOException {
    String path = context.pathParam("page");
    int end = path.lastIndexOf('/');
    String name = path.substring(end + 1);
    RunFiles folder =
        Optional.of(path.substring(0, Math.max(0, end)))
            .filter(id -> NAME.matcher(name).matches())
            .flatMap(this::find)
            .filter(found -> names(found).contains(name))
            .orElseThrow(() -> new NotFoundResponse("there is no such page"));
    try (FileChannel channel = folder.open(name);
        InputStream stream = Channels.newInputStream(channel)) {
      if (channel.size() > LARGEST_PAGE) {
        throw new NotFoundResponse("the page is larger than 128 MB; open the file itself");
      }
      byte[] bytes = stream.readAllBytes();
      context.header("Content-Security-Policy", policy(bytes));
      context.header("Cache-Control", "no-cache");
      context.contentType("text/html;charset=utf-8").result(bytes);
    }
  }

  private Optional<RunFiles> find(String id) {
    return store.find(id).or(() -> store.findStudy(id)).or(() -> store.findPopulation(id));
  }

  private static String policy(byte[] page) {
    String head = new String(page, 0, Math.min(HEAD_BYTES, page.length), StandardCharsets.UTF_8);
    return head.contains(ReportPolicy.META) ? ReportPolicy.POLICY + NO_FRAMES : SANDBOX;
  }
}
