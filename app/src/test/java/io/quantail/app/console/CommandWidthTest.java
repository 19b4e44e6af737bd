package io.quantail.app.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.app.Invocation;
import io.quantail.app.Main;
import io.quantail.app.common.ExitCode;
import io.quantail.io.AtomicFiles;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** No command prints a line that is longer than the terminal is wide. */
@Requirement("CLI-1")
class CommandWidthTest {
  private static final List<Integer> WIDTHS = List.of(60, 80, 120);
  private static final String ROOT = System.getProperty("quantail.root");
  private static final String CARTPOLE = ROOT + "/configs/classic/cartpole-no-velocity.yaml";
  private static final String POPULATION = ROOT + "/configs/classic/cartpole-population.yaml";
  private static final String WALK = ROOT + "/configs/market/walk-forward.yaml";
  private static final String STOCKS = ROOT + "/configs/market/stocks-demo.yaml";
  private static final String[] SMALL = {
    "--set", "environment.count=4",
    "--set", "rollout.steps=32",
    "--set", "ppo.sequenceLength=16",
    "--set", "ppo.batchSize=64",
    "--set", "ppo.epochs=2",
    "--set", "network.hidden=8",
    "--set", "critic.quantiles=8",
    "--set", "evaluation.episodes=3",
    "--set", "training.steps=256"
  };
  private static final String[] SMALL_MARKET = and(SMALL, "--set", "market.episode.bars=64");
  private static final String[] BTC =
      and(
          SMALL_MARKET,
          "train",
          CARTPOLE,
          "--set",
          "environment.name=Market-v0",
          "--set",
          "environment.normalizeObservations=false");

  // A path cannot be broken, so it is short. Not @TempDir, whose names are long.
  private static Path place;

  @BeforeAll
  static void train() throws IOException {
    place = Files.createTempDirectory("q");
    ended(and(SMALL, "train", CARTPOLE, "--run", at("a")));
    ended(and(SMALL, "train", CARTPOLE, "--run", at("b"), "--seed", "7"));
    ended(and(SMALL_MARKET, "train", STOCKS, "--run", at("m")));
    ended(and(new String[] {"--run", at("c")}, BTC));
    ended(and(new String[] {"--run", at("d"), "--seed", "3"}, BTC));
    ended("data", "generate", "garch", at("g.csv"), "--bars", "3000", "--bar-length", "1d");
  }

  private static void ended(String... command) {
    Invocation run = Invocation.of(command);
    assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.OK);
  }

  @AfterAll
  static void remove() {
    AtomicFiles.deleteDirectory(place);
  }

  @AfterEach
  void restore() {
    System.clearProperty(Terminal.COLUMNS);
    System.clearProperty(Terminal.STREAMS);
  }

  private static String at(String name) {
    return place.resolve(name).toString();
  }

  private static String[] and(String[] last, String... first) {
    return Stream.concat(Arrays.stream(first), Arrays.stream(last)).toArray(String[]::new);
  }

  /**
   * Every command; {@code NEW} is a directory or file that does not exist yet. Studies are trained
   * at the first width only: repeated in the same directory, they print their result again.
   */
  private static List<String[]> commands() {
    return List.of(
        and(SMALL, "train", CARTPOLE, "--run", "NEW"),
        and(new String[] {"--run", "NEW", "--verbose"}, BTC),
        new String[] {"train", CARTPOLE, "--set", "ppo.clipRnage=0.1"},
        new String[] {"train", "--stpes", "3"},
        new String[] {"resume", at("a")},
        new String[] {"resume", at("missing")},
        new String[] {"evaluate", at("a")},
        new String[] {"evaluate", at("m")},
        new String[] {"evaluate", at("m"), "--episodes", "3"},
        new String[] {"export", at("a"), "--onnx", "NEW", "--rows", at("rows"), "--force"},
        new String[] {"robustness", at("a"), "--attack", "none,random,fgsm"},
        and(
            SMALL,
            "sweep",
            CARTPOLE,
            "--run",
            at("s"),
            "--seeds",
            "1-2",
            "--grid",
            "ppo.epochs=1,2"),
        and(
            SMALL,
            "population",
            POPULATION,
            "--run",
            at("p"),
            "--set",
            "population.size=3",
            "--set",
            "population.generations=2"),
        new String[] {"signal", at("m"), "--data", "demo:AAPL", "--now", "last-bar"},
        and(
            SMALL_MARKET,
            "walkforward",
            WALK,
            "--run",
            at("f"),
            "--seeds",
            "1",
            "--set",
            "risk.mode=policy",
            "--set",
            "risk.limit=-0.001",
            "--without-limit"),
        and(
            SMALL_MARKET,
            "walkforward",
            WALK,
            "--run",
            at("x"),
            "--seeds",
            "1",
            "--scheme",
            "purged",
            "--groups",
            "4",
            "--test",
            "1"),
        new String[] {"compare", at("a"), at("b"), at("c"), at("m")},
        new String[] {"compare", at("c"), at("d")},
        new String[] {"verify", at("a")},
        new String[] {"verify", at("missing")},
        new String[] {"evidence", at("c"), at("d")},
        new String[] {"ledger"},
        new String[] {"runs", "--in", place.toString()},
        new String[] {"runs", "remove", at("missing")},
        new String[] {"init", at("g.csv"), "--out", "NEW"},
        new String[] {"data", "validate", at("g.csv"), "demo:btc"},
        new String[] {"data", "import", "demo:AAPL", "NEW.csv"},
        new String[] {"data", "generate", "garch", "NEW.csv"},
        new String[] {"dashboard", at("missing")},
        and(SMALL, "audit", CARTPOLE),
        new String[] {"replay", at("missing")},
        new String[] {"bench", "cartpole-lstm", "--seconds", "0.2", "--warmup", "0.1"},
        new String[] {"completion", "tcsh"},
        new String[] {"help"});
  }

  private static Stream<Arguments> commandsAtAllWidths() {
    return WIDTHS.stream()
        .flatMap(width -> commands().stream().map(command -> Arguments.of(width, command)));
  }

  @ParameterizedTest
  @MethodSource("commandsAtAllWidths")
  void shouldFit(int width, String[] command) {
    String fresh = at("w" + width + "-" + Math.abs(Arrays.hashCode(command) % 10_000));
    String[] arguments =
        Arrays.stream(command)
            .map(argument -> argument.replace("NEW", fresh))
            .toArray(String[]::new);
    System.setProperty(Terminal.COLUMNS, String.valueOf(width));
    System.setProperty(Terminal.STREAMS, "out,err");
    Invocation printed = Invocation.of(arguments);

    assertThat(printed.out() + printed.err()).isNotBlank();
    assertThat(lines(printed.out()))
        .allSatisfy(line -> assertThat(Style.width(line)).as(line).isLessThanOrEqualTo(width));
    assertThat(lines(printed.err()))
        .allSatisfy(line -> assertThat(Style.width(line)).as(line).isLessThanOrEqualTo(width));
  }

  /** What is drawn again in its place counts as a line. */
  private static List<String> lines(String text) {
    return text.replace("\r\u001b[K", "\n").lines().toList();
  }

  @Test
  void shouldCallEveryCommand() {
    Set<String> called = new TreeSet<>();
    commands().forEach(command -> called.add(command[0]));

    assertThat(called).containsAll(Main.commandLine().getSubcommands().keySet());
  }

  @ParameterizedTest
  @MethodSource("widths")
  void shouldExplainItselfWithinTheWidth(int width) {
    System.setProperty(Terminal.COLUMNS, String.valueOf(width));
    List<CommandLine> all = new ArrayList<>();
    collect(Main.commandLine(), all);

    assertThat(all).hasSizeGreaterThan(20);
    for (CommandLine command : all) {
      assertThat(command.getUsageMessage(CommandLine.Help.Ansi.OFF).lines())
          .as(command.getCommandName())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
    }
  }

  private static Stream<Integer> widths() {
    return WIDTHS.stream();
  }

  private static void collect(CommandLine command, List<CommandLine> all) {
    all.add(command);
    command.getSubcommands().values().forEach(one -> collect(one, all));
  }
}
