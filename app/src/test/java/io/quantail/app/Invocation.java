package io.quantail.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;

/**
 * What one call of the command did, run inside this process.
 *
 * @param code the exit code
 * @param out all of standard output
 * @param err all of standard error
 */
public record Invocation(int code, String out, String err) {
  /** Settings with which an iteration takes milliseconds: 128 steps of four environments. */
  private static final List<String> SMALL =
      List.of(
          "environment.count=4",
          "rollout.steps=32",
          "ppo.sequenceLength=16",
          "ppo.batchSize=64",
          "ppo.epochs=2",
          "network.hidden=8",
          "critic.quantiles=8",
          "evaluation.episodes=3");

  private static final String CONFIG =
      System.getProperty("quantail.root") + "/configs/classic/cartpole-no-velocity.yaml";

  static final int STEPS_PER_ITERATION = 128;

  public static Invocation of(String... arguments) {
    PrintStream systemOut = System.out;
    PrintStream systemErr = System.err;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try {
      System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
      System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
      int code = Main.commandLine().execute(arguments);
      return new Invocation(
          code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    } finally {
      System.setOut(systemOut);
      System.setErr(systemErr);
    }
  }

  /**
   * Trains on a small classic task for two small iterations, {@code --json}; later arguments win.
   */
  public static Invocation train(Path run, String... more) {
    return of(trainArguments(run, more));
  }

  /** The arguments of {@link #train}, for another process. */
  static String[] trainArguments(Path run, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("train", CONFIG, "--json", "--run", run.toString()));
    SMALL.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    arguments.addAll(List.of("--set", "training.steps=" + 2 * STEPS_PER_ITERATION));
    arguments.addAll(List.of(more));
    return arguments.toArray(String[]::new);
  }

  /** {@link #train} on another environment. */
  static Invocation trainOn(Path run, String environment) {
    return train(run, "--set", "environment.name=" + environment);
  }

  /** {@link #train} on the embedded bars of five minutes. */
  public static Invocation trainOnMarket(Path run, String... more) {
    return of(marketArguments(run, more));
  }

  /** The arguments of {@link #trainOnMarket}, for another process. */
  static String[] marketArguments(Path run, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--set",
                "environment.name=Market-v0",
                "--set",
                "environment.normalizeObservations=false",
                "--set",
                "market.episode.bars=64"));
    arguments.addAll(List.of(more));
    return trainArguments(run, arguments.toArray(String[]::new));
  }

  /** The same without the page that every evaluation leaves, and what depends on the ledger. */
  public JsonNode numbers() {
    ObjectNode result = json().deepCopy();
    result.remove(
        List.of("report", "ledger", "limit")); // of train the limit is beside the evaluation
    return result;
  }

  /** A page without what depends on the ledger. */
  public static String withoutLedger(Path page) throws IOException {
    Document document = Jsoup.parse(Files.readString(page));
    document.select("#evidence, .ledger").remove();
    return document.outerHtml();
  }

  /** The last line of standard output. */
  public JsonNode json() {
    try {
      return new ObjectMapper().readTree(out.lines().reduce("", (before, line) -> line));
    } catch (JsonProcessingException notJson) {
      throw new AssertionError("standard output was " + out + ", standard error " + err, notJson);
    }
  }
}
