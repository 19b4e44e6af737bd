package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.common.ExitCode;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Directories that a build without format numbers wrote are continued after a setting was added
 * ({@link LaterSection}), as long as it has the value that they mean.
 */
@Requirement("CKPT-1")
class LaterSettingTest {
  private static final String AS_BEFORE = "later.level=2";
  private static final String NOT_SET = "training.threads=1"; // as in the file
  private static final String OTHER = "later.level=5";

  @TempDir Path directory;

  @Test
  void shouldNotTrainAFinishedSweepAgain() throws Exception {
    Path sweep = StoredRunTest.copy("sweep", directory);
    Map<String, String> before = StoredRunTest.files(sweep.resolve("runs"));
    assertThat(sweep(sweep, AS_BEFORE).code()).isEqualTo(ExitCode.OK);
    assertThat(StoredRunTest.files(sweep.resolve("runs"))).isEqualTo(before);
    // Its config.yaml has a format number now.
    assertThat(sweep(sweep, NOT_SET).code()).isEqualTo(ExitCode.OK);
    assertThat(sweep(sweep, AS_BEFORE).code()).isEqualTo(ExitCode.OK);
    assertThat(StoredRunTest.files(sweep.resolve("runs"))).isEqualTo(before);
    Refusal.require(
        sweep(sweep, OTHER),
        ExitCode.USAGE,
        "started with other settings: later.level is 5, was 2");
  }

  @Test
  void shouldNotTrainASweepAgainThatThisBuildFinished() throws Exception {
    Path sweep = directory.resolve("new");
    assertThat(sweep(sweep, NOT_SET).code()).isEqualTo(ExitCode.OK);
    Map<String, String> before = StoredRunTest.files(sweep.resolve("runs"));
    assertThat(sweep(sweep, AS_BEFORE).code()).isEqualTo(ExitCode.OK);
    assertThat(StoredRunTest.files(sweep.resolve("runs"))).isEqualTo(before);
    assertThat(sweep.resolve("config.yaml")).content().startsWith("format: 3\nseed: 1\n");
  }

  @Test
  void shouldContinueAPopulation() throws Exception {
    Path population = StoredRunTest.copy("population", directory);
    Refusal.require(
        population(population, OTHER), ExitCode.USAGE, "holds a population with other settings");
    Invocation continued = population(population, AS_BEFORE);
    assertThat(continued.code()).as(continued.err()).isEqualTo(ExitCode.OK);
    assertThat(entries(population.resolve("journal.jsonl")))
        .isEqualTo(entries(resource("population-journal.jsonl")));
  }

  @Test
  void shouldContinueAPopulationOfThisBuild() throws Exception {
    Path population = directory.resolve("new");
    assertThat(population(population, NOT_SET).code()).isEqualTo(ExitCode.OK);
    List<String> finished = entries(population.resolve("journal.jsonl"));
    assertThat(population(population, AS_BEFORE).code()).isEqualTo(ExitCode.OK);
    Refusal.require(
        population(population, OTHER), ExitCode.USAGE, "holds a population with other settings");
    assertThat(entries(population.resolve("journal.jsonl"))).isEqualTo(finished).hasSize(4);
  }

  @Test
  void shouldResumeARun() throws Exception {
    Path run = longerRun("later:\n  level: 2\n");
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.err()).contains("training.steps is 256, was 128").doesNotContain("later");
    assertThat(resumed.json().path("steps").longValue()).isEqualTo(256);
    // The last snapshot has a hash of this build.
    Files.writeString(
        run.resolve("config.yaml"),
        Files.readString(run.resolve("config.yaml")).replace("later:\n  level: 2\n", ""));
    assertThat(Invocation.of("resume", run.toString(), "--json").code()).isEqualTo(ExitCode.OK);
  }

  @Test
  void shouldNotResumeARunWithAnotherValue() throws Exception {
    Refusal.require(
        Invocation.of("resume", longerRun("later:\n  level: 5\n").toString()),
        ExitCode.USAGE,
        "has been changed since the snapshot was written: later.level is 5, was 2");
  }

  /** The settings that a stored run does not have count as they were, not as defaults are now. */
  @Test
  void shouldTakeMissingSettingsAsTheyWere() throws Exception {
    Path run = longerRun("later: {}\n");
    Path config = run.resolve("config.yaml");
    Files.writeString(config, Files.readString(config).replace("  ratioBound: hard\n", ""));
    Path start = run.resolve("run.json");
    Files.writeString(
        start, Files.readString(start).replaceAll("\"ratioBound\" : \"hard\",\\s*", ""));
    assertThat(start).content().doesNotContain("ratioBound");
    Invocation resumed = Invocation.of("resume", run.toString(), "--json");
    assertThat(resumed.code()).as(resumed.err()).isEqualTo(ExitCode.OK);
    assertThat(resumed.err()).doesNotContain("ratioBound", "later");
  }

  /** A stored agent with more to do and other settings at the end of its file. */
  private Path longerRun(String settings) throws Exception {
    Path run = StoredRunTest.copy("sweep", directory).resolve("runs").resolve("point-1-seed-1");
    Path config = run.resolve("config.yaml");
    Files.writeString(
        config, Files.readString(config).replace("steps: 128\n", "steps: 256\n") + settings);
    return run;
  }

  private static Invocation sweep(Path run, String setting) throws Exception {
    return Invocation.of(
        "sweep",
        resource("sweep.yaml").toString(),
        "--grid",
        "ppo.epochs=1,2",
        "--seeds",
        "1",
        "--run",
        run.toString(),
        "--json",
        "--set",
        setting);
  }

  private static Invocation population(Path run, String setting) throws Exception {
    return Invocation.of(
        "population",
        resource("population.yaml").toString(),
        "--parallel",
        "1",
        "--run",
        run.toString(),
        "--json",
        "--set",
        setting);
  }

  private static Path resource(String name) throws URISyntaxException {
    return Path.of(LaterSettingTest.class.getResource("/stored-runs/" + name).toURI());
  }

  /** Without the hashes of snapshots, which hold more in later builds. */
  /** Without the hashes of snapshots, which hold more now than those of the older build did. */
  private static List<String> entries(Path journal) throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(journal));
    lines.remove(0);
    lines.replaceAll(line -> line.replaceAll("\"hash\":\"[0-9a-f]+\",", ""));
    lines.replaceAll(line -> line.replaceAll("\"hash\":\"[0-9a-f]+\"", ""));
    lines.sort(null);
    return lines;
  }
}
