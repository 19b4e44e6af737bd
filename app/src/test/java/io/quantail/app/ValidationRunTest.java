package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.common.ExitCode;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a market that are validated while they train. */
@Requirement("VALID-1")
class ValidationRunTest {
  private static final String ROOT = System.getProperty("quantail.root");
  private static final int KILLS = 2;
  private static final long SEED = 20261119;

  @TempDir private Path directory;

  private static String[] settings(String... settings) {
    List<String> arguments = new ArrayList<>();
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    return arguments.toArray(String[]::new);
  }

  private static String[] best(int updates) {
    return settings(
        "training.keep=best-validation",
        "training.validationUpdates=3",
        "training.snapshotUpdates=4",
        "optimizer.learningRate=0.003",
        "training.steps=" + updates * Invocation.STEPS_PER_ITERATION);
  }

  private static Path snapshot(Path run, String pointer) throws IOException {
    Path snapshots = run.resolve("snapshots");
    String name = Files.readString(snapshots.resolve(pointer)).strip().split("\\s+")[0];
    return snapshots.resolve(name).resolve("state.safetensors");
  }

  @Test
  void shouldKeepTheSameAgentHoweverOftenTheRunWasKilled() throws Exception {
    Path whole = directory.resolve("whole").resolve("run");
    Invocation undisturbed = Invocation.trainOnMarket(whole, best(60));
    assertThat(undisturbed.code()).as(undisturbed.err()).isEqualTo(ExitCode.OK);

    Path killed = directory.resolve("killed").resolve("run");
    RandomStream random = RandomStream.of(SEED, "kill", 0);
    int kills = 0;
    ChildProcess child =
        ChildProcess.start(directory, Invocation.marketArguments(killed, best(60)));
    ChildProcess.waitFor(killed.resolve("snapshots").resolve("KEPT"));
    for (int i = 0; i < KILLS; i++) {
      if (!child.process().waitFor(300 + random.nextInt(1200), TimeUnit.MILLISECONDS)) {
        child.process().destroyForcibly().waitFor();
        kills++;
      }
      child = ChildProcess.start(directory, "resume", killed.toString(), "--json");
    }
    assertThat(child.await()).as(child.output()).isEqualTo(ExitCode.OK);

    assertThat(kills).as("kills with seed %d", SEED).isPositive();
    for (String file : List.of("metrics.csv", "equity.csv", "report.html", "snapshots/KEPT")) {
      assertThat(killed.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
    }
    assertThat(snapshot(killed, "KEPT")).hasSameBinaryContentAs(snapshot(whole, "KEPT"));
    assertThat(snapshot(killed, "LATEST")).hasSameBinaryContentAs(snapshot(whole, "LATEST"));
  }

  @Test
  void shouldEvaluateAndSignalWithTheBestAgentAndSaySo() throws IOException {
    Path run = directory.resolve("run");
    Invocation training = Invocation.trainOnMarket(run, best(20));
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    JsonNode agent = training.json().get("agent");
    assertThat(agent.get("keep").textValue()).isEqualTo("best-validation");
    assertThat(agent.get("updates").longValue()).isEqualTo(20);
    JsonNode passes = agent.get("validation");
    assertThat(passes.get("passes").intValue()).as("3, 6, …, 18 and 20").isEqualTo(7);
    long update = agent.get("update").longValue();
    assertThat(update).isEqualTo(passes.get("bestUpdate").longValue()).isBetween(3L, 20L);

    String note = "quantail: agent of update %d, the best of 7 validation passes".formatted(update);
    Invocation evaluated = Invocation.of("evaluate", run.toString(), "--json");
    assertThat(evaluated.err()).contains(note);
    assertThat(evaluated.numbers()).isEqualTo(training.json().get("evaluation"));
    Invocation again = Invocation.of("evaluate", run.toString(), "--split", "validation", "--json");
    assertThat(again.json().get("meanReturn").doubleValue())
        .as("the pass is the evaluation on the same bars")
        .isEqualTo(passes.get("bestReturn").doubleValue());
    Invocation signal =
        Invocation.of(
            "signal", run.toString(), "--data", "demo:btc", "--now", "last-bar", "--json");
    assertThat(signal.err()).contains(note);
    assertThat(signal.json().get("update").longValue()).isEqualTo(update);
    Invocation robust = Invocation.of("robustness", run.toString(), "--attack", "none");
    assertThat(robust.err()).contains(note);
    assertThat(Invocation.of("resume", run.toString(), "--json").json().get("agent"))
        .isEqualTo(agent);

    Document page = Jsoup.parse(Files.readString(run.resolve("report.html")));
    assertThat(page.select("p.under").text())
        .contains("The result is that of the " + note.substring("quantail: ".length()))
        .contains("it was chosen on the validation bars");
    assertThat(page.html()).contains("training, mean of episodes", "validation, one pass");
  }

  @Test
  void shouldEndByPatienceAndSaySoOnResume() throws IOException {
    Path run = directory.resolve("run");
    String[] settings =
        settings("training.validationUpdates=1", "training.patience=1", "training.steps=128000");
    Invocation training = Invocation.trainOnMarket(run, settings);
    assertThat(training.code()).as(training.err()).isEqualTo(ExitCode.OK);
    JsonNode agent = training.json().get("agent");
    assertThat(agent.get("ended").textValue()).isEqualTo("patience");
    long updates = agent.get("updates").longValue();
    assertThat(updates).isLessThan(1000).isEqualTo(agent.get("update").longValue());
    byte[] metrics = Files.readAllBytes(run.resolve("metrics.csv"));

    Invocation resumed = Invocation.of("resume", run.toString());
    assertThat(resumed.out().replaceAll("\\s+", " "))
        .contains("nothing was changed", "raise training.patience in")
        .contains(
            " training ended at update %d: 1 validation pass without a higher return"
                .formatted(updates));
    assertThat(run.resolve("metrics.csv")).hasBinaryContent(metrics);
    assertThat(Jsoup.parse(Files.readString(run.resolve("report.html"))).text())
        .contains("Training ended at update %d: 1 validation pass".formatted(updates));
  }

  @Test
  void shouldLearnTheSameBitsWithAndWithoutPasses() throws IOException {
    Path with = directory.resolve("with");
    Path without = directory.resolve("without");
    Invocation.trainOnMarket(with, settings("training.validationUpdates=1"));
    Invocation.trainOnMarket(without, settings("training.validationUpdates=0"));
    assertThat(snapshot(with, "LATEST")).hasSameBinaryContentAs(snapshot(without, "LATEST"));
    assertThat(with.resolve("equity.csv")).hasSameBinaryContentAs(without.resolve("equity.csv"));
    List<String> learnt =
        Files.readAllLines(with.resolve("metrics.csv")).stream()
            .filter(line -> !line.contains(",validation/"))
            .toList();
    assertThat(learnt)
        .isEqualTo(Files.readAllLines(without.resolve("metrics.csv")))
        .hasSizeLessThan(Files.readAllLines(with.resolve("metrics.csv")).size());
  }

  @Test
  void shouldRefuseInOneLineWhatCannotBeValidated() {
    String keep = "training.keep=best-validation";
    Refusal.require(
        Invocation.train(directory.resolve("episodes"), settings(keep)),
        ExitCode.USAGE,
        "training.keep best-validation needs validation passes, and CartPoleNoVelocity-v1 has them only"
            + " with training.validationUpdates");
    Refusal.require(
        Invocation.of("walkforward", ROOT + "/configs/market/walk-forward.yaml", "--set", keep),
        ExitCode.USAGE,
        "training.keep best-validation needs validation bars, and the folds of a walk-forward have"
            + " none; set training.keep to last");
    Refusal.require(
        Invocation.of(
            "population",
            ROOT + "/configs/classic/cartpole-population.yaml",
            "--run",
            directory.resolve("population").toString(),
            "--set",
            "training.patience=3"),
        ExitCode.USAGE,
        "training.patience 3 is not possible in a population, which scores the last agents; set"
            + " training.patience to null");
    Refusal.require(
        Invocation.of(
            "sweep",
            ROOT + "/configs/classic/cartpole.yaml",
            "--run",
            directory.resolve("sweep").toString(),
            "--seeds",
            "1-2",
            "--set",
            keep),
        ExitCode.USAGE,
        "training.keep best-validation needs validation passes, and CartPole-v1 has them only with"
            + " training.validationUpdates");
    assertThat(directory).isEmptyDirectory();
  }
}
