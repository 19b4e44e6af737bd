package io.quantail.train;

import io.quantail.config.AttackNorm;
import io.quantail.config.EvaluationConfig;
import io.quantail.config.RunConfig;
import io.quantail.env.EnvironmentFactory;
import io.quantail.random.RandomStream;
import io.quantail.robust.AttackKind;
import io.quantail.robust.Limits;
import io.quantail.robust.Opponent;
import io.quantail.rollout.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What is left of an agent's return when its observations are disturbed.
 *
 * <p>Every row plays the same episodes. {@code RobustnessTest} pins it.
 */
public final class Robustness {
  private Robustness() {}

  /**
   * One attack at one strength.
   *
   * @param attack its name
   * @param epsilon greatest disturbance, in units of what the network sees
   * @param evaluation what the episodes brought
   */
  public record Row(String attack, double epsilon, Evaluator.Evaluation evaluation) {}

  /**
   * What is to be measured.
   *
   * @param attacks in the order of the rows; {@code none} is measured once, whatever the strengths
   * @param epsilons strengths
   * @param norm how a disturbance is measured
   */
  public record Plan(List<AttackKind> attacks, List<Double> epsilons, AttackNorm norm) {
    public Plan {
      attacks = List.copyOf(attacks);
      epsilons = List.copyOf(epsilons);
    }

    /** How many rows that gives. */
    public int size() {
      return (int)
          attacks.stream()
              .mapToLong(attack -> attack.equals(AttackKind.NONE) ? 1 : epsilons.size())
              .sum();
    }
  }

  /**
   * Plays all episodes under each attack.
   *
   * @param whenDone is told each row as soon as it is known
   */
  public static List<Row> measure(
      Agent agent,
      RunConfig config,
      EnvironmentFactory factory,
      EvaluationConfig settings,
      long seed,
      Plan plan,
      Consumer<Row> whenDone) {
    Limits limits = Limits.of(config.environment(), config.robust(), agent.observationSize());
    long attackSeed = RandomStream.of(seed, "robustness", 0).nextLong();
    List<Row> rows = new ArrayList<>();
    for (AttackKind kind : plan.attacks()) {
      List<Double> strengths = kind.equals(AttackKind.NONE) ? List.of(0.0) : plan.epsilons();
      for (double epsilon : strengths) {
        Opponent opponent = new Opponent(agent, kind, plan.norm(), epsilon, limits, attackSeed);
        Evaluator.Evaluation evaluation =
            Evaluator.evaluate(
                agent, factory, settings, config.environment().faults(), seed, opponent);
        Row row = new Row(kind.toString(), epsilon, evaluation);
        rows.add(row);
        whenDone.accept(row);
      }
    }
    return rows;
  }
}
