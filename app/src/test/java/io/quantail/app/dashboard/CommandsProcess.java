package io.quantail.app.dashboard;

import io.quantail.app.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that calls the command several times in the current directory: a training and its
 * continuation, an evaluation, a sweep, a market, and data of the dashboard. It prints nothing of
 * its own, and ends with the exit code of the first call that fails.
 */
final class CommandsProcess {
  private static final List<String> SMALL =
      List.of(
          "environment.count=4",
          "rollout.steps=32",
          "ppo.sequenceLength=16",
          "ppo.batchSize=64",
          "ppo.epochs=1",
          "network.hidden=8",
          "critic.quantiles=8",
          "evaluation.episodes=3",
          "training.snapshotUpdates=1",
          "training.steps=256",
          "health.rules.mine={metric: train/policy_entropy, when: below, threshold: 9.5}");

  private CommandsProcess() {}

  /**
   * @param arguments file of settings of a classic task
   */
  public static void main(String[] arguments) throws IOException {
    call("train", arguments[0], "--run", "run");
    Path config = Path.of("run", "config.yaml");
    Files.writeString(config, Files.readString(config).replace("steps: 256", "steps: 512"));
    call("resume", "run");
    call("evaluate", "run");
    call("sweep", arguments[0], "--seeds", "1-2", "--parallel", "1", "--run", "sweep");
    call(
        "train",
        arguments[0],
        "--run",
        "market",
        "--set",
        "environment.name=Market-v0",
        "--set",
        "environment.normalizeObservations=false",
        "--set",
        "market.episode.bars=64");
    try (DashboardServer dashboard =
        DashboardServer.start(new DashboardOptions(Path.of("."), "127.0.0.1", 0, null))) {
      String series =
          new String(
              RawHttpResponse.get(dashboard.port(), "/api/series?run=run&metric=train/loss")
                  .bytes(),
              StandardCharsets.UTF_8);
      Files.writeString(
          Path.of("series.json"), series.replaceAll("\"seconds\":\\{[^}]*\\}", "without times"));
      Files.write(
          Path.of("equity.json"),
          RawHttpResponse.get(dashboard.port(), "/api/equity?run=market").bytes());
    }
    System.exit(0);
  }

  private static void call(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (!arguments[0].equals("resume") && !arguments[0].equals("evaluate")) {
      SMALL.forEach(setting -> all.addAll(List.of("--set", setting)));
    }
    int code = Main.commandLine().execute(all.toArray(String[]::new));
    if (code != 0) {
      System.exit(code);
    }
  }
}
