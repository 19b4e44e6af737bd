package io.quantail.train;

import io.quantail.config.EvaluationConfig;
import io.quantail.config.RobustConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.model.ActingModel;
import io.quantail.random.RandomStream;
import io.quantail.robust.AttackSpec;
import io.quantail.robust.EvaluationAdversary;
import io.quantail.robust.PerturbationBounds;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Evaluates an agent under perturbed observations.
 *
 * <p>Every attack at every strength plays the same episodes. {@code RobustTrainingTest} pins it.
 */
public final class RobustnessEvaluator {
  private RobustnessEvaluator() {}

  /**
   * The evaluation under one attack at one strength.
   *
   * @param attack name of the attack
   * @param epsilon largest perturbation, in units of the network's inputs
   * @param evaluation returns of the episodes
   */
  public record Row(String attack, double epsilon, EvaluationSummary evaluation) {}

  /**
   * The attacks and strengths to evaluate.
   *
   * @param attacks in the order of the rows; {@code none} is evaluated once, at any strength
   * @param epsilons strengths of the attacks
   * @param norm in which perturbations are measured
   */
  public record Plan(
      List<AttackSpec> attacks, List<Double> epsilons, RobustConfig.AttackNorm norm) {
    public Plan {
      attacks = List.copyOf(attacks);
      epsilons = List.copyOf(epsilons);
    }

    /** Number of rows. */
    public int size() {
      return (int)
          attacks.stream()
              .mapToLong(attack -> attack.equals(AttackSpec.NONE) ? 1 : epsilons.size())
              .sum();
    }
  }

  /**
   * Evaluates the agent under each attack.
   *
   * @param whenDone receives each row as soon as it is complete
   */
  public static List<Row> measure(
      ActingModel agent,
      RunConfig config,
      EnvironmentFactory factory,
      EvaluationConfig settings,
      long seed,
      Plan plan,
      Consumer<Row> whenDone) {
    PerturbationBounds limits =
        PerturbationBounds.of(config.environment(), config.robust(), agent.observationSpace());
    long attackSeed = RandomStream.of(seed, "robustness", 0).nextLong();
    List<Row> rows = new ArrayList<>();
    for (AttackSpec kind : plan.attacks()) {
      List<Double> strengths = kind.equals(AttackSpec.NONE) ? List.of(0.0) : plan.epsilons();
      for (double epsilon : strengths) {
        EvaluationAdversary opponent =
            new EvaluationAdversary(agent, kind, plan.norm(), epsilon, limits, attackSeed);
        EvaluationSummary evaluation =
            Evaluator.evaluate(
                agent,
                factory,
                new Evaluator.Settings(
                    settings, config.environment().faults(), config.risk().alpha(), seed),
                opponent);
        Row row = new Row(kind.toString(), epsilon, evaluation);
        rows.add(row);
        whenDone.accept(row);
      }
    }
    return rows;
  }
}
