package io.quantail.study.population;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Settings of population-based training; section {@code population}.
 *
 * @param size number of members; at least 2; default 8
 * @param generations number of times that all members train and are compared; at least 1; default
 *     10
 * @param stepsPerGeneration environment steps of a member in a generation; positive; default 10000
 * @param selection of members that copy; default {@code truncation}
 * @param truncation fraction of members that copy, and fraction that is copied, with {@code
 *     truncation}; in (0, 0.5]; default 0.25
 * @param optimizerStrategy whether a copying member takes over the moments of the optimiser;
 *     default {@code reset}
 * @param start hyper-parameters of the first generation; default {@code sampled}
 * @param quorum fraction of members that must have a score before they are compared; failed members
 *     are repeated until then; in (0, 1]; default 0.5
 * @param asynchronous whether a member is compared as soon as it has trained, instead of waiting
 *     for the others; then decisions depend on who is faster; default false
 * @param hyperparameters that differ between members, by the path of the setting
 */
public record PopulationConfig(
    int size,
    int generations,
    long stepsPerGeneration,
    Selection selection,
    double truncation,
    OptimizerStrategy optimizerStrategy,
    Start start,
    double quorum,
    boolean asynchronous,
    Map<String, HyperparameterConfig> hyperparameters) {
  public PopulationConfig {
    if (size < 2) {
      throw new ConfigException(
          "population.size must be at least 2, since a single member has no other to copy; was "
              + size
              + "; train a single agent with: quantail train");
    }
    Check.atLeast("population.generations", generations, 1);
    Check.positive("population.stepsPerGeneration", stepsPerGeneration);
    Check.present("population.selection", selection);
    if (!(truncation > 0 && truncation <= 0.5)) {
      throw new ConfigException(
          "population.truncation must be in (0, 0.5], so that no member is copied and replaced at"
              + " once; was "
              + truncation);
    }
    Check.present("population.optimizerStrategy", optimizerStrategy);
    Check.present("population.start", start);
    Check.positiveFraction("population.quorum", quorum);
    hyperparameters = Collections.unmodifiableMap(new TreeMap<>(hyperparameters));
    hyperparameters.forEach((path, setting) -> setting.check(path));
  }

  /** Default settings. */
  public static PopulationConfig defaults() {
    return new PopulationConfig(
        8,
        10,
        10_000,
        Selection.TRUNCATION,
        0.25,
        OptimizerStrategy.RESET,
        Start.SAMPLED,
        0.5,
        false,
        Map.of());
  }

  /** Environment steps of a member in all generations. */
  public long totalSteps() {
    return generations * stepsPerGeneration;
  }

  /** State of the optimiser of a member that copies another. */
  public enum OptimizerStrategy {
    /** Starts with empty moments. */
    RESET,
    /** Takes over the moments of the copied member. */
    COPY
  }

  /** Selection of members that copy others; setting {@code population.selection}. */
  public enum Selection {
    /** The worst fraction of members copies members of the best fraction. */
    TRUNCATION,
    /** Every member is compared with a random other one and copies it if that one is better. */
    BINARY_TOURNAMENT
  }

  /** Hyper-parameters of the first generation. */
  public enum Start {
    /** All members as configured. */
    CONFIGURED,
    /** Member 0 as configured, the others drawn from their ranges. */
    SAMPLED
  }
}
