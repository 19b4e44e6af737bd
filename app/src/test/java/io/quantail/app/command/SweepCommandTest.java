package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.app.ChildProcess;
import io.quantail.app.FlakyEnvironment;
import io.quantail.app.Invocation;
import io.quantail.app.Refusal;
import io.quantail.app.common.ExitCode;
import io.quantail.run.RunStatus;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two points and two seeds on a small task, from the command to the files. */
@Requirement({"CLI-1", "REP-1"})
class SweepCommandTest {
  private static final String YAML =
      """
      environment: {name: CartPole-v1, count: 4}
      network: {hidden: 8}
      critic: {quantiles: 5}
      rollout: {steps: 32}
      ppo: {batchSize: 64, sequenceLength: 16, epochs: 1}
      training: {steps: 256}
      evaluation: {episodes: 3}
      health: {rules: {mine: {metric: train/policy_entropy, when: below, threshold: 9, severity: info}}}
      """;
  private static final String[] GRID = {
    "--grid", "optimizer.learningRate=1e-4,0.03", "--seeds", "1-2"
  };

  @TempDir private static Path directory;
  private static Path config;
  private static Path whole;
  private static Invocation first;

  @BeforeAll
  static void sweep() throws IOException {
    config = Files.writeString(directory.resolve("small.yaml"), YAML);
    whole = directory.resolve("whole/sweep");
    first = Invocation.of(grid(whole, "--json", "--parallel", "2"));
    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.OK);
  }

  private static String[] grid(Path run, String... more) {
    List<String> all = new ArrayList<>(List.of(GRID));
    all.addAll(List.of(more));
    return arguments(run, all.toArray(String[]::new));
  }

  private static String[] arguments(Path run, String... more) {
    List<String> all = new ArrayList<>(List.of("sweep", config.toString(), "--run"));
    all.add(run.toString());
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void shouldRankThePointsByTheirMedian() throws IOException {
    assertThat(first.err())
        .startsWith(whole + ": 4 trainings, grid points: 2, seeds: 2\n")
        .contains("  4/4  point-", "score ");
    JsonNode points = first.json().get("points");
    assertThat(points).hasSize(2);
    for (JsonNode point : points) {
      double one = point.at("/trainings/0/score").doubleValue();
      double two = point.at("/trainings/1/score").doubleValue();
      assertThat(point.get("median").doubleValue()).isEqualTo(Math.min(one, two));
      assertThat(point.get("worst").doubleValue()).isEqualTo(Math.min(one, two));
      assertThat(point.get("best").doubleValue()).isEqualTo(Math.max(one, two));
    }
    assertThat(points.at("/0/settings/optimizer.learningRate").textValue()).isEqualTo("0.0001");
    int best = first.json().get("best").intValue();
    assertThat(points.at("/%d/median".formatted(best - 1)).doubleValue())
        .isGreaterThanOrEqualTo(points.at("/%d/median".formatted(2 - best)).doubleValue());
    assertThat(whole.resolve("attempts")).doesNotExist();
  }

  /** Every agent is a run like that of train with the same settings, to the byte. */
  @Test
  void shouldLeaveRunsThatAreThoseOfTrain() throws IOException {
    Path agent = whole.resolve("runs/point-2-seed-2");
    Path again = directory.resolve("again/point-2-seed-2");
    Invocation trained =
        Invocation.of(
            "train",
            config.toString(),
            "--seed",
            "2",
            "--set",
            "optimizer.learningRate=0.03",
            "--run",
            again.toString(),
            "--json");
    assertThat(trained.code()).as(trained.err()).isEqualTo(ExitCode.OK);
    String state = "snapshots/update-00000002/state.safetensors";
    for (String file :
        List.of("config.yaml", "metrics.csv", "alerts.jsonl", "report.html", state)) {
      assertThat(agent.resolve(file)).hasSameBinaryContentAs(again.resolve(file));
    }
    assertThat(agent.resolve("metrics.csv")).content().contains("health/mine");
    assertThat(RunStatus.read(agent).orElseThrow().state()).isEqualTo(RunStatus.State.FINISHED);
    assertThat(agent.resolve("result.json")).content().contains(agent + "/report.html");
    Invocation evaluated = Invocation.of("evaluate", agent.toString(), "--json");
    assertThat(evaluated.numbers()).isEqualTo(trained.json().get("evaluation"));
    assertThat(evaluated.json().get("meanReturn"))
        .isEqualTo(first.json().at("/points/1/trainings/1/score"));
    Invocation compared =
        Invocation.of("compare", agent.toString(), whole.resolve("runs/point-1-seed-2").toString());
    assertThat(compared.code()).as(compared.err()).isEqualTo(ExitCode.OK);
    assertThat(compared.out()).contains("optimizer.learningRate");
    assertThat(Invocation.of("resume", again.toString()).code()).isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldNotDependOnHowManyRunAtATime() {
    Path single = directory.resolve("single/sweep");
    assertThat(Invocation.of(grid(single, "--parallel", "1")).code()).isEqualTo(ExitCode.OK);
    assertThat(files(single)).isEqualTo(files(whole)).hasSizeGreaterThan(30);
  }

  /** Text whose entries and commands are on one line each. */
  private static String unfolded(String text) {
    return text.replaceAll(" \\\\\n +", " ").replaceAll("\n {12,}", " ");
  }

  /** Contents of all files without times and paths; another test evaluates an agent again. */
  private static Map<String, String> files(Path place) {
    List<String> others =
        List.of(
            "clock.csv",
            "clock.sha256",
            "files.sha256",
            "status.json",
            "result.json",
            "results.json",
            "report-evaluation.html");
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(place)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = file.getFileName().toString();
        if (!others.contains(name) && !name.startsWith("events.out")) {
          contents.put(
              place.relativize(file).toString(),
              Files.readString(file, StandardCharsets.ISO_8859_1));
        }
      }
      return contents;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  @Test
  void shouldResumeAfterBeingKilled() throws Exception {
    Path killed = directory.resolve("killed/sweep");
    ChildProcess child = ChildProcess.start(directory, grid(killed, "--parallel", "1"));
    ChildProcess.waitFor(killed.resolve("runs/point-1-seed-1"));
    child.process().destroyForcibly().waitFor();
    long kept = Files.list(killed.resolve("runs")).count();

    Invocation again = Invocation.of(grid(killed));

    assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.OK);
    assertThat(again.err()).contains(kept + " of 4 agents are trained already");
    assertThat(files(killed)).isEqualTo(files(whole));
  }

  @Test
  void shouldStopOnControlC() throws Exception {
    Path place = directory.resolve("interrupted");
    String[] endless = grid(place, "--parallel", "1", "--set", "training.steps=100000000");
    ChildProcess child = ChildProcess.start(directory, endless);
    ChildProcess.waitFor(place.resolve("attempts/point-1-seed-1/attempt-1/metrics.csv"));
    new ProcessBuilder("kill", "-INT", Long.toString(child.process().pid())).start().waitFor();

    assertThat(child.await()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(child.output())
        .contains(
            "interrupted; resume with: quantail sweep "
                + config
                + " --grid optimizer.learningRate=1e-4,0.03 --seeds 1-2 --parallel 1"
                + " --set training.steps=100000000 --run "
                + place);
    assertThat(place.resolve("attempts")).doesNotExist();
  }

  /** Finished agents are shown again, and more seeds are added. */
  @Test
  void shouldPrintTextAndAddSeeds() throws IOException {
    Path place = directory.resolve("more/sweep");
    assertThat(Invocation.of(grid(place)).code()).isEqualTo(ExitCode.OK);
    Invocation more =
        Invocation.of(
            arguments(place, "--grid", "optimizer.learningRate=0.0001,0.03", "--seeds", "2,1,7"));
    assertThat(more.code()).as(more.err()).isEqualTo(ExitCode.OK);
    assertThat(more.err()).contains("4 of 6 agents are trained already");
    assertThat(unfolded(more.out()))
        .contains("CartPole-v1; score: mean return of 3 episodes", "<-")
        .contains("CartPole-v1: best of 2 points is optimizer.learningRate=")
        .contains("look closer quantail evaluate " + place.resolve("runs/point-"))
        .contains("next        quantail train " + config + " --set optimizer.learningRate=");
    assertThat(more.out().strip()).endsWith("report: " + place.resolve("report.html"));
    assertThat(Files.readAllLines(place.resolve("results.csv")))
        .hasSize(7)
        .startsWith("point,seed,optimizer.learningRate,score,steps,run,failure")
        .element(2)
        .asString()
        .matches("1,1,0.0001,\\d+\\.\\d+,256,runs/point-1-seed-1,");
    Document page = Jsoup.parse(place.resolve("report.html").toFile());
    assertThat(more.out().replace('\n', ' ')).contains(page.select("h1").text());
    assertThat(page.select("h1").text()).startsWith("CartPole-v1: best of 2 points");
    assertThat(page.select("table.sortable tbody tr")).hasSize(2);
    assertThat(page.select("a[href]").eachAttr("href"))
        .hasSize(6)
        .allSatisfy(link -> assertThat(place.resolve(link)).isRegularFile());
  }

  @Test
  void shouldVerifyEveryAgent() throws IOException {
    Invocation verified = Invocation.of("verify", whole.toString());
    assertThat(verified.code()).as(verified.out()).isEqualTo(ExitCode.OK);
    Path outcome = whole.resolve("runs/point-1-seed-1/outcome.json.gz");
    byte[] good = Files.readAllBytes(outcome);
    byte[] bad = good.clone();
    bad[good.length / 2] ^= 1;
    Files.write(outcome, bad);
    Invocation damaged = Invocation.of("verify", whole.toString());
    Files.write(outcome, good);
    assertThat(damaged.code()).isEqualTo(ExitCode.DATA);
    assertThat(damaged.out()).contains("runs/point-1-seed-1/outcome.json.gz: is damaged");
  }

  @Test
  void shouldRefuseOtherSettingsOrAnotherGrid() throws IOException {
    Refusal.require(
        Invocation.of(grid(whole, "--set", "rollout.gamma=0.9")),
        ExitCode.USAGE,
        "was started with other settings: rollout.gamma is 0.9, was 0.99; use those, or another");
    Refusal.require(
        Invocation.of(arguments(whole, "--grid", "optimizer.learningRate=1e-4,0.02")),
        ExitCode.USAGE,
        "was started with another grid: it was {\"optimizer.learningRate\":[\"0.0001\",\"0.03\"]}");
    Path taken = Files.createDirectory(directory.resolve("taken"));
    Files.writeString(taken.resolve("notes.txt"), "mine");
    Refusal.require(Invocation.of(grid(taken)), ExitCode.USAGE, "exists and is no sweep");
    assertThat(taken.toFile().list()).containsExactly("notes.txt");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        " | that is one training, which quantail train does",
        "--grid ppo.epochs=4 | that is one training",
        "--seeds 5 | that is one training",
        "--seeds 1-1000 --grid ppo.epochs=1,2,3,4,5,6,7,8,9,10 --grid"
            + " rollout.gamma=.1,.2,.3,.4,.5,.6,.7,.8,.9,.95,.99 | that is 110000 trainings",
        "--seeds one | --seeds wants a list or range such as 1,2,5 or 1-5, was one",
        "--seeds 1,,2 | --seeds wants a list or range",
        "--seeds 5-1 | --seeds wants the smaller one first, such as 1-5, was 5-1",
        "--seeds 1-3,2 | --seeds names 2 twice",
        "--seeds 1-999999999 | --seeds wants at most 10000 seeds",
        "--seeds 1-2 --set seed=3 | --set seed and --seeds exclude each other",
        "--grid ppo.epochs | --grid needs path=value,value",
        "--grid =4,5 | --grid needs path=value,value",
        "--grid ppo.epochs=4, | --grid needs path=value,value",
        "--grid ppo.epochs=4,5 --grid ppo.epochs=6 | --grid ppo.epochs is given twice",
        "--grid optimizer.learningRate=1e-4,0.0001 | has the same value twice: 1e-4, 0.0001 are",
        "--grid ppo.epoch=4,5 | --grid ppo.epoch names no setting; did you mean ppo.epochs?",
        "--grid ppo=4,5 | --grid ppo is a section; name one of its settings, such as",
        "--grid ppo.epochs=4,0 | --grid ppo.epochs=0 is not possible: ppo.epochs must be",
        "--grid ppo.epochs=4,many | --grid ppo.epochs=many is not possible: ",
        "--grid ppo.batchSize=64,63 | --grid ppo.batchSize=63 is not possible: ",
        "--grid ppo.epochs=4,5 --set ppo.epochs=6 | ppo.epochs is given by --set and by --grid",
        "--grid ppo.clipRange=0.1,0.2 --set ppo.clipRange.to=0 | ppo.clipRange is given by --set"
            + " and by --grid",
        "--grid seed=1,2 | seeds are given by --seeds",
        "--grid risk.alpha=0.1,0.2 | --grid risk.alpha has no effect while risk.mode is off",
        "--grid evaluation.episodes=5,6 | decides how agents are evaluated",
        "--grid environment.name=CartPole-v1,Pendulum-v1 | decides how agents are evaluated",
        "--grid training.threads=1,2 | does not change what an agent learns",
        "--vary optimizer.learningRate=log(1e-5,1e-2) | is a range, from which values are drawn;"
            + " say",
        "--vary ppo.epochs=linear(9,2) --trials 4 | needs the smaller number first",
        "--trials 3 | --trials draws values, but no setting varies",
        "--trials 0 --vary ppo.epochs=1,2 | --trials must be at least 1, was 0",
        "--reduction 3 --seeds 1-2 | --reduction needs --halving",
        "--asynchronous --seeds 1-2 | --asynchronous needs --halving",
        "--seeds 1-3 --halving | give more points with --trials or --grid",
        "--grid ppo.epochs=1,2,3,4 --halving --min-steps 256 | choose a smaller --min-steps",
        "--grid ppo.epochs=1,2,3,4 --halving --without-limit | --without-limit and --halving"
            + " exclude",
        "--executor-wait 5 --seeds 1-2 | --executor-wait needs --on with a cluster",
        "--seeds 1,2 --set population.size=4 | section population, which sweep does not read",
        "--seeds 1,2 --parallel 0 | --parallel must be at least 1",
        "--seeds 1,2 --set environment.name=CartPole-v9 | CartPole-v9"
      })
  void shouldRefuseInvalidOptions(String options, String message) {
    Path place = directory.resolve("never");
    String[] more = options == null ? new String[0] : options.split(" ");
    Refusal.require(Invocation.of(arguments(place, more)), ExitCode.USAGE, message);
    assertThat(place).doesNotExist();
  }

  private static String[] halving(Path run) {
    return arguments(
        run,
        "--vary=optimizer.learningRate=log(1e-4,1e-1)",
        "--trials=8",
        "--seeds=1-2",
        "--halving",
        "--reduction=2",
        "--min-steps=128",
        "--parallel=2",
        "--set=training.steps=1024");
  }

  /** Which points continue must not depend on the kill. */
  @Test
  void shouldGoOnWithSuccessiveHalvingAfterAKill() throws Exception {
    Path whole = directory.resolve("halved");
    Invocation sweep = Invocation.of(halving(whole));
    assertThat(sweep.code()).as(sweep.err()).isEqualTo(ExitCode.OK);
    assertThat(sweep.err()).startsWith(whole + ": successive halving, points: 8, seeds: 2\n");
    assertThat(sweep.out()).contains("steps").contains("1,024    <-");
    String journal = Files.readString(whole.resolve("halving.jsonl"));
    assertThat(journal.lines()).hasSize(1 + 2 * (8 + 4 + 2 + 1));

    Path killed = directory.resolve("halved-killed");
    ChildProcess child = ChildProcess.start(directory, halving(killed));
    ChildProcess.waitFor(killed.resolve("runs/point-4-seed-1-rung-1"));
    child.process().destroyForcibly().waitFor();
    assertThat(killed.resolve("results.csv")).doesNotExist();
    assertThat(Invocation.of(halving(killed)).code()).isEqualTo(ExitCode.OK);
    assertThat(killed.resolve("halving.jsonl")).hasContent(journal);
    assertThat(killed.resolve("results.csv")).hasSameTextualContentAs(whole.resolve("results.csv"));
  }

  @Test
  void shouldNameAgentsThatFailAndKeepTheOthers() throws IOException {
    Path place = directory.resolve("flaky");
    String[] flaky =
        arguments(
            place,
            "--seeds=1-4",
            "--json",
            "--set=environment.name=" + FlakyEnvironment.Seldom.class.getName());
    Invocation sweep = Invocation.of(flaky);
    assertThat(sweep.code()).isEqualTo(ExitCode.FAILED);
    JsonNode trainings = sweep.json().at("/points/0/trainings");
    List<String> failed = new ArrayList<>();
    for (JsonNode training : trainings) {
      if (training.get("score").isNull()) {
        failed.add("seed-" + training.get("seed"));
        assertThat(training.get("failure").textValue()).contains("lost the coin");
      } else {
        assertThat(place.resolve(training.get("run").textValue())).isDirectory();
      }
    }
    assertThat(failed).isNotEmpty().hasSizeLessThan(4);
    assertThat(sweep.json().at("/points/0/worst").isNull()).isTrue();
    assertThat(sweep.err())
        .contains("quantail: %d of 4 agents could not be trained (".formatted(failed.size()))
        .contains(failed)
        .contains("the others are kept, repeat the command to train these again");
    assertThat(place.resolve("results.csv")).content().contains(",,,").contains("lost the coin");

    Invocation again = Invocation.of(flaky);
    assertThat(again.err())
        .contains("%d of 4 agents are trained already".formatted(4 - failed.size()));
    assertThat(again.json()).isEqualTo(sweep.json());
  }

  /** Settings are chosen on validation bars; the test bars stay unseen. */
  @Test
  void shouldJudgeOnValidationBarsOfAMarket() {
    Path place = directory.resolve("market");
    String[] market =
        arguments(
            place,
            "--seeds=1,2",
            "--set=environment.name=Market-v0",
            "--set=environment.normalizeObservations=false",
            "--set=market.episode.bars=64");
    Invocation told = Invocation.of(market);
    assertThat(told.out()).contains("the median seed; shows the test bars");
    List<String> forPrograms = new ArrayList<>(List.of(market));
    forPrograms.add("--json");
    Invocation sweep = Invocation.of(forPrograms.toArray(String[]::new));
    assertThat(sweep.code()).as(sweep.err()).isEqualTo(ExitCode.OK);
    Path agent = place.resolve("runs/seed-2");
    assertThat(agent.resolve("equity-validation.csv")).exists();
    assertThat(agent.resolve("equity.csv")).doesNotExist();
    assertThat(agent.resolve("report.html")).doesNotExist();
    Invocation validation =
        Invocation.of("evaluate", agent.toString(), "--split", "validation", "--json");
    assertThat(validation.json().get("meanReturn"))
        .isEqualTo(sweep.json().at("/points/0/trainings/1/score"));
    assertThat(sweep.json().get("judged").textValue()).contains("validation bars");
    assertThat(Invocation.of("evaluate", agent.toString()).code()).isEqualTo(ExitCode.OK);
    Invocation signal =
        Invocation.of(
            "signal", agent.toString(), "--data", "demo:btc", "--now", "last-bar", "--allow-gaps");
    assertThat(signal.code()).as(signal.err()).isEqualTo(ExitCode.OK);
  }
}
