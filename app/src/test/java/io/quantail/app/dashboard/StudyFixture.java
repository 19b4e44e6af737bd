package io.quantail.app.dashboard;

import io.quantail.run.RunStatus;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;

/** Writes directories of studies as {@code sweep} and {@code walkforward} do, without training. */
final class StudyFixture {
  private StudyFixture() {}

  /** A finished run with a score. */
  static RunFixture agent(Path directory, long seed, double score) {
    return new RunFixture(directory)
        .write("config.yaml", "seed: " + seed + "\ntraining: {steps: 4096}\n")
        .rows("rollout/ep_rew_mean", 2)
        .status(RunStatus.State.FINISHED, 2, Instant.EPOCH)
        .write(
            "result.json",
            String.format(Locale.ROOT, "{\"evaluation\": {\"meanReturn\": %s}}", score));
  }

  /** Two points and three seeds; the second point is the best by median. */
  static void sweep(Path directory) {
    RunFixture files = new RunFixture(directory).write("config.yaml", "seed: 1\n");
    files.write("data.json", "{\"kind\": \"sweep\", \"grid\": {\"ppo.epochs\": [\"9\", \"4\"]}}");
    for (int seed = 1; seed <= 3; seed++) {
      agent(directory.resolve("runs/point-1-seed-" + seed), seed, 10 * seed);
    }
    files.write(
        "results.json",
"""
{"environment": "CartPole-v1", "judged": "mean return", "best": 2, "verdict": "the verdict", "points": [
  {"point": 1, "settings": {"ppo.epochs": "9"}, "median": 5.0, "worst": null, "best": 6.0, "trainings": [
    {"seed": 1, "score": 5.0, "run": null}, {"seed": 2, "score": 6.0, "run": null},
    {"seed": 3, "score": null, "run": null, "failure": "it broke"}]},
  {"point": 2, "settings": {"ppo.epochs": "4"}, "median": 20.0, "worst": 10.0, "best": 30.0, "trainings": [
    {"seed": 1, "score": 10.0, "run": "runs/point-1-seed-1"}, {"seed": 2, "score": 20.0, "run": "runs/point-1-seed-2"},
    {"seed": 3, "score": 30.0, "run": "runs/point-1-seed-3"}]}]}
""");
  }

  /** One fold and two seeds. */
  static void walkForward(Path directory) {
    RunFixture files = new RunFixture(directory).write("config.yaml", "seed: 1\n");
    files.write("data.json", "{\"kind\": \"walk forward\", \"grid\": {}}");
    agent(directory.resolve("folds/fold-1-seed-1"), 1, 1);
    agent(directory.resolve("folds/fold-1-seed-2"), 2, 2);
    files.write(
        "walkforward.json",
"""
{"medianSeed": 1, "totalReturn": 0.04, "seedsAboveBuyAndHold": 1, "baselines": {"buyAndHold": 0.03},
 "spread": {"worst": -0.01, "median": 0.04, "best": 0.05}, "verdict": {"x": 1},
 "limit": {"status": "kept", "limit": -0.01},
 "seeds": [{"seed": 1, "stitched": {"totalReturn": 0.05}, "limit": {"status": "kept"}},
           {"seed": 2, "stitched": {"totalReturn": -0.01}, "limit": {"status": "broken"}}],
 "folds": [{"fold": 1, "train": "2001-01-01T00:00:00Z/2002-01-01T00:00:00Z", "test": "2002-01-02T00:00:00Z/2003-01-01T00:00:00Z",
   "spread": {"worst": -0.01, "median": -0.01, "best": 0.05}, "agents": {"1": 0.05, "2": -0.01},
   "limits": {"1": {"status": "kept"}, "2": {"status": "broken"}}, "baselines": {"buyAndHold": 0.03}}]}
""");
  }

  /** Two paths through two groups; the run of the second fold is gone. */
  static void purged(Path directory) {
    RunFixture files = new RunFixture(directory).write("config.yaml", "seed: 1\n");
    files.write("data.json", "{\"kind\": \"walk forward\", \"grid\": {}}");
    agent(directory.resolve("folds/fold-1-seed-1"), 1, 1);
    files.write(
        "walkforward.json",
"""
{"scheme": "purged", "groups": 2, "testGroups": 1, "alpha": 0.05, "caveat": "a caveat", "verdict": "a verdict", "limit": null,
 "folds": [{"fold": 1, "seed": 1, "steps": 4096, "tested": [1]}, {"fold": 2, "seed": 1, "steps": 4096, "tested": [2]}],
 "paths": [
   {"seed": 1, "path": 1, "folds": [1, 2], "groups": [0.02, 0.01], "numbers": {"totalReturn": 0.03, "sharpe": 1.0, "maxDrawdown": 0.1, "cvar": -0.01}},
   {"seed": 1, "path": 2, "folds": [1, 2], "groups": [0.01, 0.07], "numbers": {"totalReturn": 0.08, "sharpe": null, "maxDrawdown": 0.1, "cvar": -0.01}}],
 "buyAndHold": {"totalReturn": 0.01, "sharpe": 0.5, "maxDrawdown": 0.2, "cvar": -0.02}}
""");
  }

  /**
   * A run on a market with calibration, limit, validation and a report that tries to read the list.
   */
  static void run(Path directory) {
    StringBuilder rows = new StringBuilder(RunFixture.HEADER);
    for (int update = 1; update <= 2; update++) {
      double first = update == 1 ? 0.2 : 0.1;
      rows.append(RunFixture.line(update, "rollout/ep_rew_mean", update));
      rows.append(RunFixture.line(update, "train/calibration/coverage_05", first));
      rows.append(RunFixture.line(update, "train/calibration/coverage_20", first + 0.15));
      rows.append(RunFixture.line(update, "train/calibration/coverage_50", 0.5));
      rows.append(RunFixture.line(update, "train/calibration/coverage_95", 0.9));
      rows.append(RunFixture.line(update, "train/calibration/pit_deviation", 0.06));
      rows.append(RunFixture.line(update, "train/calibration/tail_predicted", -1));
      rows.append(RunFixture.line(update, "train/calibration/tail_realised", -1.5));
      rows.append(RunFixture.line(update, "train/cvar_empirical", -0.5));
      rows.append(RunFixture.line(update, "validation/return", 0.01 * update));
    }
    new RunFixture(directory)
        .write(
            "config.yaml",
            "seed: 3\n"
                + "environment: {name: Market-v0}\n"
                + "ppo: {epochs: 4}\n"
                + "rollout: {gamma: 0.99}\n"
                + "risk: {alpha: 0.05}\n")
        .write("metrics.csv", rows.toString())
        .status(RunStatus.State.FINISHED, 2, Instant.EPOCH)
        .write(
            "result.json",
"""
{"evaluation": {"split": "test", "totalReturn": 0.1, "calibration": {"bars": "validation", "measured": {"coverage05": 0.06, "independent": 250}}},
 "limit": {"measure": "returns", "mode": "policy", "alpha": 0.05, "limit": -0.01, "part": "test", "measured": -0.009, "low": null, "high": null, "status": "undecided", "parts": [
   {"part": "train", "estimate": {"unit": "bars", "samples": 900, "tailSamples": 45, "measured": -0.005, "low": -0.007, "high": -0.003, "status": "kept", "reason": null}},
   {"part": "test", "estimate": {"unit": "bars", "samples": 40, "tailSamples": 2, "measured": -0.009, "low": null, "high": null, "status": "undecided", "reason": "too few"}}]}}
""")
        .write(
            "report.html",
"""
<!doctype html><html lang="en"><title>report</title><body><script>
document.title = 'script ran';
fetch('/api/runs').then(r => r.text()).then(t => document.body.dataset.stolen = t, e => document.body.dataset.stolen = 'refused');
</script></body></html>
""");
  }
}
