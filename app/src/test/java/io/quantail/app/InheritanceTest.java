package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quantail.app.common.ExitCode;
import io.quantail.run.RunReader;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code train --from}: what a run takes from another one, and what it says about it. */
@Requirement("SIG-2")
class InheritanceTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int OLD_BARS = 1500;
  private static final int NEW_BARS = 2400;

  @TempDir private static Path directory;
  private static Path parent;
  private static Path old;
  private static Path newer;

  @BeforeAll
  static void trainParent() throws IOException {
    old = directory.resolve("old").resolve("AAPL.csv");
    newer = directory.resolve("newer").resolve("AAPL.csv");
    Files.createDirectories(old.getParent());
    Files.createDirectories(newer.getParent());
    Path all = directory.resolve("all.csv");
    Invocation.of("data", "import", "demo:AAPL", all.toString());
    List<String> bars = Files.readAllLines(all);
    Files.write(old, bars.subList(0, OLD_BARS + 1));
    Files.write(newer, bars.subList(0, NEW_BARS + 1));
    parent = directory.resolve("parent");
    Invocation trained = train(parent, old);
    assertThat(trained.code()).as(trained.err()).isEqualTo(ExitCode.OK);
  }

  private static Invocation train(Path run, Path bars, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--set",
                "market.data.files=[" + bars + "]",
                "--set",
                "market.data.gaps=allow",
                "--set",
                "optimizer.schedule=constant",
                "--set",
                "training.validationUpdates=1",
                "--set",
                "market.split={train: 0.8, validation: 0.1}"));
    arguments.addAll(Arrays.asList(more));
    return Invocation.trainOnMarket(run, arguments.toArray(String[]::new));
  }

  private static Invocation trainFrom(Path ancestor, Path run, Path bars, String... more) {
    List<String> arguments = new ArrayList<>(List.of("--from", ancestor.toString()));
    arguments.addAll(Arrays.asList(more));
    return train(run, bars, arguments.toArray(String[]::new));
  }

  private static Path child(String name) {
    Path run = directory.resolve(name);
    Invocation trained = trainFrom(parent, run, newer);
    assertThat(trained.code()).as(trained.err()).isEqualTo(ExitCode.OK);
    return run;
  }

  private static JsonNode json(Path run, String file) throws IOException {
    return JSON.readTree(run.resolve(file).toFile());
  }

  private static StateMap agent(Path run) {
    return RunReader.snapshot(run).state().child("agent").child("parameters");
  }

  @Test
  void shouldNameItsAncestorAndKeepItsScaling() throws IOException {
    Path run = child("named");
    Snapshot snapshot = RunReader.snapshot(parent);
    JsonNode ancestors = json(run, "run.json").get("ancestors");
    assertThat(ancestors).hasSize(1);
    assertThat(ancestors.get(0).get("snapshot").textValue())
        .isEqualTo(snapshot.manifest().sha256());
    assertThat(ancestors.get(0).get("run").textValue())
        .isEqualTo(parent.toAbsolutePath().toString());
    assertThat(ancestors.get(0).get("update").longValue())
        .isEqualTo(snapshot.manifest().info().update());
    assertThat(json(parent, "run.json").has("ancestors")).isFalse();
    // The weights see what they learnt on: bars differ, the scaling does not.
    assertThat(json(run, "market.json").get("fingerprints"))
        .isNotEqualTo(json(parent, "market.json").get("fingerprints"));
    for (String kept : List.of("scaler", "volatility")) {
      assertThat(json(run, "market.json").get(kept))
          .isEqualTo(json(parent, "market.json").get(kept));
    }
    assertThat(json(run, "market.json").get("seen").get("inherited"))
        .isEqualTo(json(parent, "market.json").get("seen").get("own"));
    JsonNode entry = json(run, "evidence.json").get("entry");
    assertThat(entry.get("ancestor").get("snapshot").textValue())
        .isEqualTo(snapshot.manifest().sha256());
    // Another agent than one with the same settings and new weights.
    Path fresh = directory.resolve("fresh");
    train(fresh, newer);
    assertThat(json(fresh, "evidence.json").get("entry").get("settings"))
        .isNotEqualTo(entry.get("settings"));
  }

  @Test
  void shouldStartWithTheWeightsOfTheAncestor() {
    // With a learning rate of zero nothing but the ancestor can have made these weights.
    Path run = directory.resolve("still");
    Invocation trained =
        trainFrom(parent, run, newer, "--set", "optimizer.learningRate=1e-30", "--seed", "77");
    assertThat(trained.code()).as(trained.err()).isEqualTo(ExitCode.OK);
    StateMap before = agent(parent);
    StateMap after = agent(run);
    assertThat(after.names()).isEqualTo(before.names()).isNotEmpty();
    for (String name : before.names()) {
      if (!name.contains("head") && !name.contains("critic")) {
        assertThat(after.entries().get(name))
            .as(name)
            .usingRecursiveComparison()
            .isEqualTo(before.entries().get(name));
      }
    }
  }

  @Test
  void shouldResumeWithoutItsAncestor() throws IOException {
    Path gone = directory.resolve("gone");
    train(gone, old);
    Path whole = directory.resolve("whole");
    trainFrom(gone, whole, newer);
    Path resumed = directory.resolve("resumed");
    Invocation first = trainFrom(gone, resumed, newer, "--set", "training.steps=128");
    assertThat(first.code()).as(first.err()).isEqualTo(ExitCode.OK);
    delete(gone);
    byte[] market = Files.readAllBytes(resumed.resolve("market.json"));
    Path config = resumed.resolve("config.yaml");
    Files.writeString(config, Files.readString(config).replace("steps: 128", "steps: 256"));
    Invocation end = Invocation.of("resume", resumed.toString(), "--json");
    assertThat(end.code()).as(end.err()).isEqualTo(ExitCode.OK);
    for (String file : List.of("metrics.csv", "equity.csv", "trades.csv")) {
      assertThat(resumed.resolve(file)).hasSameBinaryContentAs(whole.resolve(file));
    }
    assertThat(state(resumed)).hasSameBinaryContentAs(state(whole));
    assertThat(Files.readAllBytes(resumed.resolve("market.json"))).isEqualTo(market);
  }

  @Test
  void shouldKnowTheBarsOfAllItsAncestors() throws IOException {
    Path second = child("second");
    Path third = directory.resolve("third");
    Path all = directory.resolve("all.csv");
    Invocation trained = trainFrom(second, third, all, "--set", "market.split.train=0.88");
    assertThat(trained.code()).as(trained.err()).isEqualTo(ExitCode.OK);
    assertThat(json(third, "run.json").get("ancestors")).hasSize(2);
    assertThat(json(third, "run.json").get("ancestors").get(1))
        .isEqualTo(json(second, "run.json").get("ancestors").get(0));
    assertThat(json(third, "market.json").get("seen").get("inherited")).hasSize(2);
    // bars that only the first one was trained on are in sample for the third
    Invocation evaluated =
        Invocation.of(
            "evaluate", third.toString(), "--data", old.toString(), "--allow-gaps", "--json");
    assertThat(evaluated.code()).as(evaluated.err()).isEqualTo(ExitCode.OK);
    assertThat(evaluated.json().get("inSample").get("bars").intValue()).isGreaterThan(1000);
    assertThat(evaluated.json().has("ledger")).isFalse();
    assertThat(third.resolve("evidence-data.json")).doesNotExist();
    Invocation text =
        Invocation.of("evaluate", third.toString(), "--data", old.toString(), "--allow-gaps");
    assertThat(text.out())
        .contains("In sample the agent", "which proves nothing", "evidence    none:");
    assertThat(Files.readString(third.resolve("report-data.html"))).contains("in sample");
  }

  @Test
  void shouldRefuseToBeJudgedOnBarsOfItsAncestor() {
    Path run = directory.resolve("refused");
    Invocation refused =
        trainFrom(parent, run, newer, "--set", "market.split={train: 0.2, validation: 0.1}");
    Refusal.require(
        refused,
        ExitCode.DATA,
        "the ancestor has learnt from",
        "which are validation bars here",
        "choose market.split so that these bars begin later");
    assertThat(run).doesNotExist();
  }

  @Test
  void shouldRefuseAnotherShape() {
    refused("network.hidden=16", "network.hidden is 16, but the agent of", "trained with 8");
    refused("critic.quantiles=9", "critic.quantiles is 9", "trained with 8");
    refused("critic.type=categorical", "critic.type is categorical", "trained with quantile");
    refused("network.memory=none", "network.memory is none", "trained with lstm");
    refused("market.action.longOnly=false", "market.action.longOnly is false", "with true");
    refused("market.features.names=[return(12)]", "market.features.names differs");
    refused("environment.normalizeObservations=true", "environment.normalizeObservations is true");
  }

  private void refused(String setting, String... parts) {
    Path run = directory.resolve("another-shape");
    Invocation refused = trainFrom(parent, run, newer, "--set", setting);
    assertThat(refused.code()).as(refused.err()).isIn(ExitCode.USAGE, ExitCode.DATA);
    Refusal.require(refused, refused.code(), parts);
    assertThat(run).doesNotExist();
  }

  @Test
  void shouldRefuseAnotherEnvironment() {
    Path pole = directory.resolve("pole");
    Invocation.train(pole);
    Refusal.require(
        trainFrom(pole, directory.resolve("no"), newer),
        ExitCode.USAGE,
        "environment.normalizeObservations is false");
    Path same = directory.resolve("pole-again");
    Invocation again = Invocation.train(same, "--from", pole.toString());
    assertThat(again.code()).as(again.err()).isEqualTo(ExitCode.OK);
    Refusal.require(
        Invocation.train(
            directory.resolve("no"),
            "--from",
            pole.toString(),
            "--set",
            "environment.name=Pendulum-v1"),
        ExitCode.USAGE,
        "environment.name Pendulum-v1 has");
  }

  private static Path state(Path run) {
    return RunReader.snapshot(run).directory().resolve("state.safetensors");
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
