package io.quantail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A population that takes seconds, and what it leaves behind. */
final class SmallPopulation {
  static final String YAML =
      """
      environment: {name: CartPole-v1, count: 4}
      network: {hidden: 8}
      critic: {quantiles: 5}
      rollout: {steps: 32}
      ppo: {batchSize: 64, sequenceLength: 16, epochs: 1}
      evaluation: {episodes: 3}
      population:
        size: 4
        generations: 2
        stepsPerGeneration: 512
        hyperparameters:
          optimizer.learningRate: {min: 1e-5, max: 1e-2, scale: log}
      """;

  private SmallPopulation() {}

  /** Every byte of the journal and of the members' states; lines of one generation in any order. */
  static void requireSame(Path actual, Path expected) {
    assertThat(journal(actual)).hasSizeGreaterThan(1).isEqualTo(journal(expected));
    assertThat(states(actual)).isNotEmpty().isEqualTo(states(expected));
    assertThat(actual.resolve("population.json"))
        .hasSameTextualContentAs(expected.resolve("population.json"));
  }

  private static List<String> journal(Path run) {
    try {
      return Files.readAllLines(run.resolve("journal.jsonl")).stream().sorted().toList();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static Map<String, String> states(Path run) {
    Map<String, String> hashes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(run.resolve("members"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        hashes.put(run.relativize(file).toString(), HexFormat.of().formatHex(hash));
      }
      return hashes;
    } catch (IOException | NoSuchAlgorithmException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
