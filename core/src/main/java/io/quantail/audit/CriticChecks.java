package io.quantail.audit;

import io.quantail.audit.slow.SlowCritic;
import io.quantail.audit.slow.SlowEstimates;
import io.quantail.audit.slow.SlowRisk;
import io.quantail.config.CriticType;
import io.quantail.config.CvarMethod;
import io.quantail.config.ValueClipConfig;
import io.quantail.config.ValueClipMode;
import io.quantail.critic.CategoricalCritic;
import io.quantail.critic.Critic;
import io.quantail.critic.QuantileCritic;
import io.quantail.critic.RiskMath;
import io.quantail.critic.ValueClip;
import io.quantail.nn.Forward;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Agent;
import io.quantail.rollout.Gae;
import io.quantail.rollout.SequenceBatch;
import io.quantail.tensor.Gradients;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What critics say of the rollout, and what it costs them. */
final class CriticChecks {
  private static final String TOPIC = "critic";
  private static final double EXACT = 1e-9;

  private CriticChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
            TOPIC,
            "quantile-levels",
            "CRIT-1",
            "levels of the quantiles with (i + 0.5) / N",
            CriticChecks::levels),
        AuditCheck.of(
            TOPIC,
            "loss",
            "CRIT-1 CRIT-2",
            "loss of each sample against its target with the quantile Huber loss, or the"
                + " cross-entropy with the projected target over ln N",
            CriticChecks::loss),
        AuditCheck.of(
            TOPIC,
            "projection",
            "CRIT-2",
            "targets projected onto the atoms with the split between neighbours",
            CriticChecks::projection),
        AuditCheck.of(
            TOPIC,
            "value-of-twins",
            "TWIN-1",
            "value used for advantages with the lower of the critics' means; heads differ",
            CriticChecks::value),
        AuditCheck.of(
            TOPIC,
            "value-clipping",
            "VFC-1 TWIN-2",
            "larger of free and clipped loss with the formula of every mode, outputs moved"
                + " from the stored ones",
            CriticChecks::clipping),
        AuditCheck.of(
            TOPIC,
            "predicted-cvar",
            "CVAR-1",
            "mean of the worst outcomes with a walk over the sorted outcomes, both methods",
            CriticChecks::cvar),
        AuditCheck.of(
            TOPIC,
            "empirical-cvar",
            "CVAR-5",
            "CVaR of rewards and returns with the mean of the lowest ceil(alpha n)",
            CriticChecks::empirical));
  }

  /** What each critic says of every transition, [critic][row][output]. */
  private static List<double[][]> outputs(Sample sample) {
    Agent agent = sample.agent();
    SequenceBatch batch = new SequenceBatch(sample.rollout(), sample.allWindows());
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      Forward forward = agent.network().evaluate(agent.inference(), batch.sequences());
      List<double[][]> all = new ArrayList<>();
      for (Tensor critic : forward.critics()) {
        double[] flat = critic.doubles();
        int width = flat.length / batch.size();
        double[][] rows = new double[batch.size()][];
        for (int row = 0; row < rows.length; row++) {
          rows[batchPlace(batch, row)] = Arrays.copyOfRange(flat, row * width, (row + 1) * width);
        }
        all.add(rows);
      }
      return all;
    }
  }

  private static int batchPlace(SequenceBatch batch, int row) {
    return batch.transitions()[row];
  }

  private static double[] targets(Sample sample) {
    double[] returns = Gae.compute(sample.collected()).returns();
    double[] targets = SlowEstimates.targets(returns, sample.scale());
    targets[0] += 3; // beyond every kappa and between atoms
    targets[1] -= 100; // beyond every support
    return targets;
  }

  private static Outcome levels(AuditSubject subject) {
    if (!(subject.own().agent().critic() instanceof QuantileCritic critic)) {
      return Outcome.skipped("critic.type is categorical");
    }
    double[] expected = new double[critic.quantiles()];
    Arrays.setAll(expected, i -> (2 * i + 1) / (2.0 * expected.length));
    return Outcome.error(
        Deviation.absolute(critic.levels(), expected), 1e-15, "quantiles stand at other levels");
  }

  private static Outcome loss(AuditSubject subject) {
    Sample sample = subject.own();
    double[] targets = targets(sample);
    double worst = 0;
    for (double[][] rows : outputs(sample)) {
      double[] expected = new double[rows.length];
      Arrays.setAll(expected, i -> sample.slowCritic().loss(rows[i], targets[i]));
      try (Scope scope = Scope.open();
          Gradients off = Gradients.off()) {
        double[] actual =
            sample.agent().critic().loss(Columns.matrix(rows), Columns.vector(targets)).doubles();
        worst = Math.max(worst, Deviation.relative(actual, expected));
      }
    }
    return Outcome.error(worst, EXACT, "critics learn another distribution than that of returns");
  }

  private static Outcome projection(AuditSubject subject) {
    Sample sample = subject.own();
    if (!(sample.agent().critic() instanceof CategoricalCritic critic)) {
      return Outcome.skipped("critic.type is quantile");
    }
    double[] targets = targets(sample);
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      double[] actual = critic.support().project(Columns.vector(targets)).doubles();
      double[] expected = new double[actual.length];
      int atoms = critic.outputs();
      for (int row = 0; row < targets.length; row++) {
        double[] one = {targets[row]};
        double[] masses = sample.slowCritic().project(one, new double[] {1}, atoms);
        System.arraycopy(masses, 0, expected, row * atoms, atoms);
      }
      return Outcome.error(
          Deviation.absolute(actual, expected), EXACT, "targets land on the wrong atoms");
    }
  }

  private static Outcome value(AuditSubject subject) {
    Sample sample = subject.own();
    List<double[][]> critics = outputs(sample);
    double[] expected = new double[sample.experience().size()];
    Arrays.fill(expected, Double.POSITIVE_INFINITY);
    double apart = 0;
    for (double[][] rows : critics) {
      for (int i = 0; i < expected.length; i++) {
        double mean = sample.slowCritic().mean(rows[i]);
        apart = expected[i] < 1e300 ? Math.max(apart, Math.abs(mean - expected[i])) : apart;
        expected[i] = Math.min(expected[i], mean);
      }
    }
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      List<Tensor> tensors = critics.stream().map(Columns::matrix).toList();
      double[] actual = sample.agent().critic().value(tensors).doubles();
      double error = Deviation.absolute(actual, expected);
      boolean independent = critics.size() == 1 || apart > 0;
      return Outcome.of(
          error <= EXACT && independent,
          Outcome.number(error),
          "<= 1e-9",
          critics.size() == 1
              ? "a single critic"
              : "the twins are up to %s apart".formatted(Outcome.number(apart)));
    }
  }

  private static Outcome clipping(AuditSubject subject) {
    Sample sample = subject.own();
    ValueClipConfig configured = sample.config().critic().clip();
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/clip", 0);
    double[] targets = targets(sample);
    double worst = 0;
    for (ValueClipMode mode : ValueClipMode.values()) {
      boolean quantiles = sample.config().critic().type() == CriticType.QUANTILE;
      if (mode == ValueClipMode.DISABLE || !quantiles && mode != ValueClipMode.MEAN_ONLY) {
        continue;
      }
      ValueClipConfig clip =
          new ValueClipConfig(mode, configured.range(), configured.varianceFactor(), 0, null);
      for (double[][] old : outputs(sample)) {
        double[][] now = moved(old, configured.range(), random);
        worst = Math.max(worst, clipError(sample, clip, old, now, targets));
      }
    }
    return Outcome.noted(
        worst,
        EXACT,
        configured.enabled()
            ? "critic.clip.mode is " + configured.mode().name().toLowerCase(Locale.ROOT)
            : "critic.clip.mode is disable: nothing is clipped in this run");
  }

  private static double[][] moved(double[][] rows, double range, RandomStream random) {
    double[][] moved = new double[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      double shift = 2 * range * random.nextGaussian();
      double stretch = 1 + 2 * random.nextDouble();
      moved[i] = Arrays.stream(rows[i]).map(value -> stretch * value + shift).toArray();
    }
    return moved;
  }

  private static double clipError(
      Sample sample, ValueClipConfig clip, double[][] old, double[][] now, double[] targets) {
    SlowCritic slow = sample.slowCritic();
    Critic critic = sample.agent().critic();
    double[] expected = new double[old.length];
    Arrays.setAll(expected, i -> slow.clippedLoss(now[i], old[i], targets[i], clip));
    try (Scope scope = Scope.open();
        Gradients off = Gradients.off()) {
      ValueClip.Loss loss =
          new ValueClip(clip.mode(), clip.range(), clip.varianceFactor())
              .loss(critic, Columns.matrix(now), Columns.matrix(old), Columns.vector(targets));
      return Deviation.relative(loss.larger().doubles(), expected);
    }
  }

  private static Outcome cvar(AuditSubject subject) {
    Sample sample = subject.own();
    double worst = 0;
    for (double[][] rows : outputs(sample)) {
      for (double alpha : new double[] {sample.config().risk().alpha(), 0.001, 0.3, 1}) {
        for (CvarMethod method : CvarMethod.values()) {
          double[] expected = new double[rows.length];
          Arrays.setAll(expected, i -> sample.slowCritic().cvar(rows[i], alpha, method));
          try (Scope scope = Scope.open();
              Gradients off = Gradients.off()) {
            double[] actual =
                sample.agent().critic().cvar(Columns.matrix(rows), alpha, method).doubles();
            worst = Math.max(worst, Deviation.relative(actual, expected));
          }
        }
      }
    }
    return Outcome.error(worst, 1e-8, "the tail that is limited is not the tail that is meant");
  }

  private static Outcome empirical(AuditSubject subject) {
    Sample sample = subject.own();
    double winsor = sample.config().risk().winsor();
    double[] returns = Gae.compute(sample.collected()).returns();
    double worst = 0;
    for (double[] samples : List.of(sample.collected().rewards(), returns)) {
      for (double alpha : new double[] {sample.config().risk().alpha(), 0.2, 1}) {
        double[] actual = {RiskMath.empirical(samples, alpha, winsor).cvar()};
        double[] expected = {SlowRisk.empirical(samples, alpha, winsor)};
        worst = Math.max(worst, Deviation.relative(actual, expected));
      }
    }
    return Outcome.error(worst, EXACT, "the wrong end, or the wrong share, of the outcomes");
  }
}
