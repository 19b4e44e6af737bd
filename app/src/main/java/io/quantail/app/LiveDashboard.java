package io.quantail.app;

import io.quantail.app.dashboard.Dashboard;
import io.quantail.app.dashboard.DashboardOptions;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A dashboard of one run in the process that trains it. It only reads the run directory, as one in
 * another process would; training continues if it cannot be started.
 *
 * @param dashboard null if there is none
 */
record LiveDashboard(Dashboard dashboard) implements AutoCloseable {

  static LiveDashboard of(boolean wanted, Path run, CommandSpec spec) {
    if (!wanted) {
      return new LiveDashboard(null);
    }
    PrintWriter messages = spec.commandLine().getErr();
    for (int port : new int[] {DashboardOptions.DEFAULT_PORT, 0}) {
      try {
        Dashboard dashboard =
            Dashboard.start(new DashboardOptions(run, DashboardOptions.DEFAULT_HOST, port, null));
        messages.println("quantail: dashboard: " + dashboard.url());
        return new LiveDashboard(dashboard);
      } catch (UncheckedIOException taken) {
        if (port == 0) {
          messages.println("quantail: warning: no dashboard: " + Reason.of(taken));
        }
      }
    }
    return new LiveDashboard(null);
  }

  @Override
  public void close() {
    if (dashboard != null) {
      dashboard.close();
    }
  }
}
