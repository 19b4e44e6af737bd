package io.quantail.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.ChildProcess;
import io.quantail.app.Invocation;
import io.quantail.app.Refusal;
import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Requirement({"PBT-3", "CLI-1"})
class PopulationCommandTest {
  private static final String YAML =
      """
      environment: {name: CartPole-v1, count: 4}
      network: {hidden: 8}
      critic: {quantiles: 5}
      rollout: {steps: 32}
      ppo: {batchSize: 64, sequenceLength: 16, epochs: 1}
      evaluation: {episodes: 3}
      population:
        size: 3
        generations: 3
        stepsPerGeneration: 256
        hyperparameters:
          optimizer.learningRate: {min: 1e-5, max: 1e-2, scale: log}
      """;

  @TempDir private Path directory;
  private Path config;

  @BeforeEach
  void writeConfig() throws IOException {
    config = directory.resolve("pop.yaml");
    Files.writeString(config, YAML);
  }

  private String[] arguments(Path run, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of("population", config.toString(), "--run", run.toString(), "--json"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  @Test
  void shouldReportMembersAndWriteTheBestAsARun() throws IOException {
    Path run = directory.resolve("run");
    Invocation population = Invocation.of(arguments(run, "--parallel", "2"));
    assertThat(population.code()).as(population.err()).isEqualTo(ExitCode.OK);
    JsonNode result = population.json();
    assertThat(result.get("members")).hasSize(3);
    assertThat(result.get("members").get(1).get("hyperparameters").get("optimizer.learningRate"))
        .isNotNull();
    assertThat(population.err()).contains("generation 2, member 0").contains("score ");

    String best = result.get("best").get("run").asText();
    Invocation evaluated = Invocation.of("evaluate", best, "--json");
    assertThat(evaluated.code()).as(evaluated.err()).isEqualTo(ExitCode.OK);
    Invocation verified = Invocation.of("verify", run.toString());
    assertThat(verified.code()).as(verified.out()).isEqualTo(ExitCode.OK);
    Path metrics = run.resolve("members/member-001/generation-002/metrics.csv");
    String rows = Files.readString(metrics);
    Files.writeString(metrics, rows + "999,9999,train/loss,1.0\n");
    Invocation damaged = Invocation.of("verify", run.toString());
    assertThat(damaged.code()).isEqualTo(ExitCode.DATA);
    assertThat(damaged.out()).contains("member-001/generation-002/metrics.csv: is not the file");
    Files.writeString(metrics, rows);
    assertThat(Invocation.of("resume", best, "--json").code()).isEqualTo(ExitCode.OK);
    JsonNode report = new ObjectMapper().readTree(run.resolve("population.json").toFile());
    assertThat(report.get("generations")).hasSize(3);
    assertThat(report.get("lineage").size()).isGreaterThanOrEqualTo(2);
    assertThat(report.get("best").get("score")).isEqualTo(result.get("best").get("score"));

    Path page = Path.of(result.get("report").asText());
    Document shown = Jsoup.parse(page.toFile());
    assertThat(shown.select(".lineage circle")).hasSize(9);
    assertThat(shown.select(".lineage path")).hasSize(6);
    assertThat(shown.select(".lineage path.copied")).hasSameSizeAs(report.get("lineage"));
    assertThat(shown.select(".lineage circle.best title").text())
        .startsWith(
            "generation %s, member %s"
                .formatted(result.at("/best/generation"), result.at("/best/member")));
    assertThat(shown.select("h3").eachText())
        .containsExactly("Score of each member", "optimizer.learningRate");
    byte[] before = Files.readAllBytes(page);

    Invocation again = Invocation.of("population", config.toString(), "--run", run.toString());
    assertThat(again.code()).isEqualTo(ExitCode.OK);
    assertThat(again.err()).contains("0 of 9 member-generations to do");
    assertThat(page).hasBinaryContent(before);
    assertThat(again.out().strip()).endsWith("report: " + page);
    assertThat(again.out()).contains("generation").contains("look closer quantail evaluate");
  }

  @Test
  void shouldEndWithTheSameJournalAfterBeingKilled() throws Exception {
    Path whole = directory.resolve("whole");
    Path killed = directory.resolve("killed");
    assertThat(Invocation.of(arguments(whole)).code()).isEqualTo(ExitCode.OK);
    ChildProcess child = ChildProcess.start(directory, arguments(killed, "--parallel", "1"));
    Path journal = killed.resolve("journal.jsonl");
    waitForLines(journal, 3);
    child.process().destroyForcibly().waitFor();

    Invocation resumed = Invocation.of(arguments(killed));
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(lines(journal)).isEqualTo(lines(whole.resolve("journal.jsonl")));
    assertThat(killed.resolve("population.json"))
        .hasSameTextualContentAs(whole.resolve("population.json"));
  }

  @Test
  void shouldStopOnControlCAndResume() throws Exception {
    Path run = directory.resolve("interrupted");
    String[] longer = {"--parallel", "1", "--set", "population.stepsPerGeneration=2000000"};
    ChildProcess child = ChildProcess.start(directory, arguments(run, longer));
    ChildProcess.waitFor(run.resolve("attempts/generation-000-member-000/attempt-1"));
    new ProcessBuilder("kill", "-INT", Long.toString(child.process().pid())).start().waitFor();
    assertThat(child.await()).isEqualTo(ExitCode.INTERRUPTED);
    assertThat(child.output())
        .contains("interrupted; resume with: quantail population ")
        .contains(" --run " + run);
  }

  private static void waitForLines(Path journal, int count) throws Exception {
    ChildProcess.waitFor(journal);
    for (int i = 0; i < 3000 && Files.readAllLines(journal).size() < count; i++) {
      Thread.sleep(20);
    }
    assertThat(Files.readAllLines(journal)).hasSizeGreaterThanOrEqualTo(count);
  }

  private static List<String> lines(Path journal) throws IOException {
    return Files.readAllLines(journal).stream().sorted().toList();
  }

  @Test
  void shouldRefuseInvalidOptions() {
    Path run = directory.resolve("refused");
    Refusal.require(
        Invocation.of(arguments(run, "--on", "moon")),
        ExitCode.USAGE,
        "--on must be local, local-cluster[N], spark://HOST:PORT or spark-submit, was moon");
    Refusal.require(
        Invocation.of(arguments(run, "--on", "spark://host:7077")),
        ExitCode.USAGE,
        "--on spark://host:7077 needs Apache Spark, which is not on the class path",
        "./quantail");
    Refusal.require(
        Invocation.of(arguments(run, "--on", "local-cluster[2]", "--parallel", "3")),
        ExitCode.USAGE,
        "--on local-cluster[3]");
    Refusal.require(
        Invocation.of(arguments(run, "--spark", "spark.ui.port=1")),
        ExitCode.USAGE,
        "--spark needs --on with a cluster");
    Refusal.require(
        Invocation.of(arguments(run, "--parallel", "0")),
        ExitCode.USAGE,
        "--parallel must be at least 1, was 0");
    Refusal.require(
        Invocation.of(arguments(run, "--set", "population.size=1")),
        ExitCode.USAGE,
        "population.size must be at least 2");
    Refusal.require(
        Invocation.of(arguments(run, "--set", "population.truncation=0.7")),
        ExitCode.USAGE,
        "population.truncation must be in (0, 0.5]");
    Refusal.require(
        Invocation.of("train", config.toString(), "--run", run.toString()),
        ExitCode.USAGE,
        "has a section population, which train does not read");
    assertThat(run).doesNotExist();
  }
}
