package io.quantail.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
    assertThat(RunFiles.hashes(actual.resolve("members")))
        .isNotEmpty()
        .isEqualTo(RunFiles.hashes(expected.resolve("members")));
    assertThat(actual.resolve("population.json"))
        .hasSameTextualContentAs(expected.resolve("population.json"));
  }

  private static List<String> journal(Path run) {
    try {
      return Files.readAllLines(run.resolve("journal.jsonl"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
