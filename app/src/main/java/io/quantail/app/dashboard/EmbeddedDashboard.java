package io.quantail.app.dashboard;

import io.quantail.app.common.ErrorText;
import io.quantail.app.console.Messages;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A dashboard of one run in the process that trains it. It only reads the run directory, as one in
 * another process would; training continues if it cannot be started.
 *
 * @param dashboard null if there is none
 */
public record EmbeddedDashboard(@Nullable DashboardServer dashboard) implements AutoCloseable {

  public static EmbeddedDashboard of(boolean wanted, Path run, CommandSpec spec) {
    if (!wanted) {
      return new EmbeddedDashboard(null);
    }
    Messages messages = Messages.of(spec);
    for (int port : new int[] {DashboardOptions.DEFAULT_PORT, 0}) {
      try {
        DashboardServer dashboard =
            DashboardServer.start(
                new DashboardOptions(run, DashboardOptions.DEFAULT_HOST, port, null));
        messages.note("dashboard: " + dashboard.url());
        return new EmbeddedDashboard(dashboard);
      } catch (UncheckedIOException taken) {
        if (port == 0) {
          messages.warning("no dashboard: " + ErrorText.of(taken));
        }
      }
    }
    return new EmbeddedDashboard(null);
  }

  @Override
  public void close() {
    if (dashboard != null) {
      dashboard.close();
    }
  }
}
