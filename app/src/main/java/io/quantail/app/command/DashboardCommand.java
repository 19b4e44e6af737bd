package io.quantail.app.command;

import io.quantail.app.common.ExitCode;
import io.quantail.app.common.UsageException;
import io.quantail.app.dashboard.DashboardOptions;
import io.quantail.app.dashboard.DashboardServer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Serves the dashboard until it is interrupted. */
@Command(
    name = "dashboard",
    description = {
      "Shows running and finished runs in a browser.",
      "It changes nothing. Stop it with Ctrl-C."
    },
    mixinStandardHelpOptions = true)
public final class DashboardCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "RUNS",
      defaultValue = "runs",
      description = "Directory of runs, or one run; default: ${DEFAULT-VALUE}.")
  private Path runs;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port to listen on; 0 chooses a free one; default: ${DEFAULT-VALUE}.")
  private int port = DashboardOptions.DEFAULT_PORT;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "Address to listen on; default: ${DEFAULT-VALUE}, this machine only; any other needs a"
              + " token.")
  private String host = DashboardOptions.DEFAULT_HOST;

  @Option(
      names = "--token",
      paramLabel = "T",
      defaultValue = "${env:QUANTAIL_DASHBOARD_TOKEN}",
      description = "Access token that clients must send; default: QUANTAIL_DASHBOARD_TOKEN.")
  private String token;

  @Override
  public Integer call() throws InterruptedException {
    try (DashboardServer dashboard = DashboardServer.start(options())) {
      spec.commandLine().getOut().println("dashboard of " + runs + ": " + dashboard.url());
      new CountDownLatch(1).await();
    }
    return ExitCode.OK;
  }

  private DashboardOptions options() {
    try {
      return new DashboardOptions(runs, host, port, token);
    } catch (IllegalArgumentException wrong) {
      throw new UsageException(wrong.getMessage());
    }
  }
}
