package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowLoss;
import io.quantail.audit.slow.SlowOptimizer;
import io.quantail.audit.slow.SlowScaler;
import io.quantail.audit.slow.SlowUpdate;
import io.quantail.config.RatioBound;
import io.quantail.config.RiskMode;
import io.quantail.config.RunConfig;
import io.quantail.config.Squash;
import io.quantail.env.ActionSpace;
import io.quantail.nn.Parameters;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** What reaches the parameters. */
final class GradientChecks {
  private static final String TOPIC = "gradient";

  /** Everything between a rollout and the gradient of its loss. */
  private static final String LOSS_PATH =
      "PpoUpdate PpoLoss PolicyLoss LossSums SequenceBatch"
          + " GroupWeights GradientStep WorkerPool ActorCritic NetworkPass Trunk"
          + " ActionHead GaussianPolicy CategoricalPolicy Squashing SquashedEntropy Parameters"
          + " RecurrentState LstmLayer LstmGates Affine Weights PanelFactor RowFactor"
          + " PanelSums Products Packing SingleLayer SkipLayers Nonlinearity Tanh Decay"
          + " Vectors QuantileLoss QuantileCritic CategoricalCritic Support ValueClip ClippedLoss"
          + " RiskTerm RiskDecision RiskMath ParallelLoop Cvar Gates Huber Tangent Polynomials Tiles"
          + " Lanes";

  private static final int PER_SLOT = 12;
  private static final double NOISE = 0.05;
  private static final double SINGLE = 5e-5; // of the gradient's size, in single precision

  /** A part that gets less than this share of the gradient is measured by this share. */
  private static final double SMALL = 0.01;

  /** Products of the reference network that the directions of one audit may cost: seconds. */
  private static final double AFFORDABLE = 5e9;

  /** Distances between the two sides of a difference and its middle. */
  private static final double[] LENGTHS = {2e-6, 2e-7, 2e-8};

  private GradientChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
                TOPIC,
                "loss-against-finite-differences",
                "BATCH-1 CRIT-3 POL-1 TWIN-2 VFC-1",
                "gradient of one step by parameters of every tensor of a small network, with"
                    + " differences of the reference loss; ratios lie inside and outside of the"
                    + " clip range on both sides, for advantages of both signs",
                GradientChecks::finiteDifferences)
            .exercising(LOSS_PATH),
        AuditCheck.of(
                TOPIC,
                "loss-along-directions",
                "BATCH-1 CRIT-3 POL-1 TWIN-2 VFC-1",
                "gradient of one step of the configured network, tensor by tensor, along random"
                    + " directions, with differences of the reference loss",
                GradientChecks::directions)
            .exercising(LOSS_PATH),
        AuditCheck.of(
                TOPIC,
                "far-ratios",
                "POL-1",
                "loss, gradient and KL estimates of one step whose log-ratios reach beyond 20 on"
                    + " both sides with the reference loss, for both ways to bound them",
                GradientChecks::farRatios)
            .exercising("PpoUpdate PpoLoss PolicyLoss RatioStatistics"),
        AuditCheck.of(
                TOPIC,
                "accumulation",
                "BATCH-1",
                "gradient of a batch in one piece with that of as many pieces as there are"
                    + " sequences",
                GradientChecks::accumulation)
            .exercising("PpoUpdate PpoLoss GradientStep GroupWeights"),
        AuditCheck.of(
                TOPIC,
                "order-of-scaling-and-clipping",
                "GRAD-1 VGS-1 VGS-2",
                "steps with variance scaling and a low norm limit with accumulate, scale, clip,"
                    + " step in the reference implementation",
                GradientChecks::order)
            .exercising(
                "GradientStep VarianceGradientScaler GradientClip Sgd PpoUpdate ParameterReplica Vectors"),
        AuditCheck.of(
                TOPIC,
                "policy-term-flow",
                "CRIT-3",
                "gradient norms of the policy term alone with zero",
                subject -> flow(subject, "policy"))
            .exercising("PpoLoss NetworkPass Trunk"),
        AuditCheck.of(
                TOPIC,
                "critic-term-flow",
                "CRIT-3 TWIN-3",
                "gradient norms of the critic term alone with zero",
                subject -> flow(subject, "critic"))
            .exercising("PpoLoss NetworkPass Trunk"),
        AuditCheck.of(
                TOPIC,
                "entropy-term-flow",
                "ENT-1",
                "gradient norms of the entropy term alone with zero",
                subject -> flow(subject, "entropy"))
            .exercising("PpoLoss NetworkPass ActionHead"),
        AuditCheck.of(
                TOPIC,
                "risk-term-flow",
                "CRIT-3 CVAR-3",
                "gradient norms of the predicted CVaR alone with zero",
                subject -> flow(subject, "risk"))
            .exercising("PpoLoss RiskTerm"));
  }

  /** The parameters a little away from those that collected: ratios and values have moved. */
  static float[] moved(Sample sample) {
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/moved", 0);
    double[] values = sample.parameters();
    float[] moved = new float[values.length];
    for (int i = 0; i < moved.length; i++) {
      moved[i] = (float) (values[i] + NOISE * random.nextGaussian());
    }
    return moved;
  }

  /**
   * The same update with old log-probabilities from which the log-ratios of actions with good and
   * of actions with bad advantages follow as given, one after the other.
   */
  private static Probe withLogRatios(Probe probe, double... logRatios) {
    double[] logs = probe.slowLoss().logProbabilities(Numbers.doubles(probe.start()));
    int[] next = new int[2];
    for (int i = 0; i < logs.length; i++) {
      int sign = probe.lesson().advantages()[i] > 0 ? 1 : 0;
      logs[i] = (float) (logs[i] - logRatios[next[sign]++ % logRatios.length]);
    }
    return probe.withOldLogs(logs);
  }

  /** The same update with ratios inside and well outside of its clip range, on both sides. */
  private static Probe aroundClipRange(Probe probe) {
    double range = probe.slowLoss().weights().clipRange();
    return withLogRatios(
        probe, Math.log1p(2 * range), Math.log1p(0.4 * range), -2.5 * range, -0.4 * range);
  }

  private static Outcome finiteDifferences(AuditSubject subject) {
    Sample sample = subject.tiny();
    Probe free =
        new Probe(sample, Probe.plainStep(sample), moved(sample), ReferenceTargets.of(sample));
    Probe probe = aroundClipRange(free);
    double[] actual = probe.update().gradient();
    SlowLoss loss = probe.slowLoss();
    double[] parameters = Numbers.doubles(probe.start());
    double size = largest(actual);
    double worst = 0;
    Map<String, Double> errors = new LinkedHashMap<>();
    for (Parameters.Slot slot : sample.slots()) {
      int[] places = places(List.of(slot), PER_SLOT);
      double unit = Math.max(largest(at(actual, places)), SMALL * size);
      double error = 0;
      for (int place : places) {
        double here =
            error(
                actual[place],
                length -> loss.by(parameters, sample.allWindows(), place, length),
                SINGLE * unit);
        error = Math.max(error, here / unit);
      }
      worst = Math.max(worst, error);
      errors.merge(block(slot), error, Math::max);
    }
    return Outcome.noted(worst, SINGLE, described(errors));
  }

  /**
   * How far a derivative is from differences of what it belongs to. A kink between the two sides of
   * a difference spoils it, so that closer ones are tried before it counts as wrong.
   *
   * @param enough an error that needs no further try
   */
  static double error(double actual, DoubleUnaryOperator difference, double enough) {
    double smallest = Double.POSITIVE_INFINITY;
    for (double length : LENGTHS) {
      double error = Math.abs(actual - difference.applyAsDouble(length));
      smallest = Double.isNaN(error) ? smallest : Math.min(smallest, error);
      if (smallest <= enough) {
        break;
      }
    }
    return smallest;
  }

  private static double largest(double[] values) {
    return Arrays.stream(values).map(Math::abs).max().orElseThrow();
  }

  private static Outcome directions(AuditSubject subject) {
    Sample sample = subject.own();
    Probe free =
        new Probe(sample, Probe.plainStep(sample), moved(sample), ReferenceTargets.of(sample));
    Probe probe = aroundClipRange(free);
    double[] actual = probe.update().gradient();
    SlowLoss loss = probe.slowLoss();
    double[] parameters = Numbers.doubles(probe.start());
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/directions", 0);
    double size = Numbers.norm(actual);
    double cost = 4.0 * actual.length * sample.experience().size() * sample.slots().size();
    int directions = cost > AFFORDABLE ? 1 : 2;
    double worst = 0;
    Map<String, Double> errors = new LinkedHashMap<>();
    for (Parameters.Slot slot : sample.slots()) {
      int[] places = places(List.of(slot), Integer.MAX_VALUE);
      double unit = Math.max(Numbers.norm(at(actual, places)), SMALL * size);
      for (int i = 0; i < directions; i++) {
        double[] direction = new double[actual.length];
        for (int place : places) {
          direction[place] = random.nextGaussian();
        }
        double error =
            error(
                    Numbers.product(actual, direction),
                    length -> loss.along(parameters, sample.allWindows(), direction, length),
                    SINGLE * unit)
                / unit;
        worst = Math.max(worst, error);
        errors.merge(block(slot), error, Math::max);
      }
    }
    return Outcome.noted(
        worst,
        SINGLE,
        "%d units, %d outputs of a critic, %d transitions: %s"
            .formatted(
                sample.config().network().hidden(),
                sample.agent().critic().outputs(),
                sample.experience().size(),
                described(errors)));
  }

  private static String described(Map<String, Double> errors) {
    List<String> parts = new ArrayList<>();
    errors.forEach((block, error) -> parts.add(block + " " + Outcome.number(error)));
    return String.join(", ", parts);
  }

  private static Outcome farRatios(AuditSubject subject) {
    Sample sample = subject.tiny();
    double worst = 0;
    List<String> notes = new ArrayList<>();
    for (RatioBound bound : RatioBound.values()) {
      RunConfig config =
          Probe.plainStep(sample, "ppo.ratioBound=" + bound.name().toLowerCase(Locale.ROOT));
      Probe free = new Probe(sample, config, moved(sample), ReferenceTargets.of(sample));
      Probe probe = withLogRatios(free, 25, -0.3, -25, 0.3, 19, -19);
      Probe.Result actual = probe.update();
      SlowLoss loss = probe.slowLoss();
      double[] parameters = Numbers.doubles(probe.start());
      SlowLoss.Terms terms = loss.of(parameters, sample.allWindows());
      double expectedLoss = terms.surrogate();
      double value = Math.abs(actual.metrics().get("train/policy_loss_ppo") / expectedLoss - 1);
      value = Math.max(value, divergenceError(actual.metrics(), terms));
      double slope = 0;
      int[] places = IntStream.range(0, parameters.length).toArray();
      RandomStream random = RandomStream.of(sample.config().seed(), "audit/far", 0);
      for (int i = 0; i < 3; i++) {
        double[] direction = new double[parameters.length];
        for (int place : places) {
          direction[place] = random.nextGaussian();
        }
        double unit = Numbers.norm(actual.gradient());
        double error =
            error(
                Numbers.product(actual.gradient(), direction),
                length -> loss.along(parameters, sample.allWindows(), direction, length),
                SINGLE * unit);
        slope = Math.max(slope, error / unit);
      }
      notes.add(
          "%s: loss %s, gradient %s"
              .formatted(
                  bound.name().toLowerCase(Locale.ROOT),
                  Outcome.number(value),
                  Outcome.number(slope)));
      double error = Math.max(value, slope);
      worst = Double.isNaN(error) ? Double.POSITIVE_INFINITY : Math.max(worst, error);
    }
    return Outcome.noted(worst, SINGLE, String.join("; ", notes));
  }

  /** Of both estimates that follow from the ratios. */
  private static double divergenceError(Map<String, Double> metrics, SlowLoss.Terms terms) {
    double first = metrics.get("train/approx_kl") - terms.firstKl();
    double third = metrics.get("train/approx_kl_k3") - terms.thirdKl();
    return Math.max(Math.abs(first) / 20, Math.abs(third / terms.thirdKl()));
  }

  private static Outcome accumulation(AuditSubject subject) {
    Sample sample = subject.tiny();
    ReferenceTargets lesson = ReferenceTargets.of(sample);
    float[] start = moved(sample);
    int sequences = sample.rollout().shape().windows();
    int uneven = Math.max(1, sequences - 1); // pieces of one and of two sequences
    double[] whole = gradient(sample, lesson, start, 1);
    double error = 0;
    for (int pieces : new int[] {sequences, uneven}) {
      error = Math.max(error, Deviation.ofNorms(gradient(sample, lesson, start, pieces), whole));
    }
    return Outcome.error(error, 3e-6, "pieces do not weigh as much as they have samples");
  }

  private static double[] gradient(
      Sample sample, ReferenceTargets lesson, float[] start, int pieces) {
    RunConfig config = Probe.plainStep(sample, "ppo.microbatches=" + pieces);
    return new Probe(sample, config, start, lesson).update().gradient();
  }

  private static Outcome order(AuditSubject subject) {
    Sample sample = subject.tiny();
    ReferenceTargets lesson = ReferenceTargets.of(sample);
    float[] start = Numbers.floats(sample.parameters());
    double norm =
        Numbers.norm(gradient(sample, lesson, start, sample.config().ppo().microbatches()));
    double limit = 0.3 * norm;
    RunConfig config =
        SampleSettings.with(
            Probe.plainStep(sample),
            "ppo.epochs=2",
            "ppo.batchSize=" + sample.config().ppo().batchSize(),
            "optimizer.maxGradientNorm=" + limit,
            "optimizer.vgs.enabled=true",
            "optimizer.vgs.warmupSteps=1",
            "optimizer.vgs.alpha=1");
    Probe probe = new Probe(sample, config, start, lesson);
    Probe.Result actual = probe.update();
    double[] expected = Numbers.doubles(start);
    SlowUpdate slow =
        new SlowUpdate(
            probe.slowLoss(),
            new SlowOptimizer(config.optimizer(), sample.slots(), config.seed()),
            new SlowScaler(config.optimizer().vgs()));
    slow.run(expected, 0, 2, 1);
    for (int i = 0; i < expected.length; i++) {
      expected[i] -= start[i];
    }
    double error = Deviation.ofNorms(actual.change(), expected);
    double after = actual.metrics().get("train/grad_norm_post_clip");
    return Outcome.of(
        error <= 1e-4 && after <= limit * (1 + 1e-6),
        Outcome.number(error),
        "<= 1e-4",
        "norm after clipping %s, limit %s".formatted(Outcome.number(after), Outcome.number(limit)));
  }

  /** Lets one term act alone and looks where its gradient arrives. */
  private static Outcome flow(AuditSubject subject, String term) {
    Sample sample = subject.own();
    boolean risk = term.equals("risk");
    if (risk && !criticsAreLimited(subject.config())) {
      return Outcome.skipped("risk.mode is neither penalty nor constraint");
    }
    if (term.equals("entropy") && noEntropy(subject.config())) {
      return Outcome.skipped("ppo.entropy.coefficient is 0");
    }
    ReferenceTargets lesson =
        term.equals("policy")
            ? ReferenceTargets.of(sample)
            : ReferenceTargets.of(sample).withoutAdvantages();
    RunConfig config =
        Probe.plainStep(
            sample,
            "ppo.microbatches=1",
            "critic.coefficient=" + (term.equals("critic") ? 1 : 0),
            "ppo.entropy.coefficient=" + (term.equals("entropy") ? 1 : 0),
            "ppo.entropy.finalCoefficient=null",
            "ppo.entropy.minimum=0",
            "ppo.cloning.coefficient=0",
            "ppo.kl.penalty=0",
            "risk.mode=" + (risk ? "constraint" : "off"),
            "risk.measure=" + (risk ? "returns" : "rewards"),
            "risk.limit=" + (sample.scale().mean() + 5 * sample.scale().std()),
            "risk.cap=null",
            "risk.multiplier.rate=1");
    double[] gradient = new Probe(sample, config, moved(sample), lesson).update().gradient();
    boolean arrived = true;
    List<String> norms = new ArrayList<>();
    for (Map.Entry<String, List<Parameters.Slot>> block : blocks(sample).entrySet()) {
      double norm = Numbers.norm(at(gradient, places(block.getValue(), Integer.MAX_VALUE)));
      arrived &= norm > 0 || !mustReach(term, block.getKey(), sample);
      norms.add(block.getKey() + " " + Outcome.number(norm));
    }
    return Outcome.of(
        arrived,
        Outcome.number(Numbers.norm(gradient)),
        "> 0 in every part",
        String.join(", ", norms));
  }

  /** The part of the network that a tensor belongs to. */
  private static String block(Parameters.Slot slot) {
    String[] parts = slot.name().split("\\.");
    return parts[0] + "." + parts[1];
  }

  private static Map<String, List<Parameters.Slot>> blocks(Sample sample) {
    Map<String, List<Parameters.Slot>> blocks = new LinkedHashMap<>();
    for (Parameters.Slot slot : sample.slots()) {
      blocks.computeIfAbsent(block(slot), any -> new ArrayList<>()).add(slot);
    }
    return blocks;
  }

  private static int[] places(List<Parameters.Slot> slots, int most) {
    int[] all =
        slots.stream()
            .flatMapToInt(
                slot -> IntStream.range((int) slot.offset(), (int) (slot.offset() + slot.count())))
            .toArray();
    int count = Math.min(most, all.length);
    int[] chosen = new int[count];
    Arrays.setAll(chosen, i -> all[(int) ((2L * i + 1) * all.length / (2L * count))]);
    return chosen;
  }

  private static double[] at(double[] values, int[] places) {
    return Arrays.stream(places).mapToDouble(place -> values[place]).toArray();
  }

  private static boolean criticsAreLimited(RunConfig config) {
    return config.risk().mode() == RiskMode.PENALTY || config.risk().mode() == RiskMode.CONSTRAINT;
  }

  private static boolean noEntropy(RunConfig config) {
    return config.ppo().entropy().coefficient() == 0
        && config.ppo().entropy().minimum() == 0
        && config.ppo().entropy().finalCoefficient() == null;
  }

  /** Actor terms belong to the actor's parts, critic terms to the critics', shared ones to both. */
  private static boolean mustReach(String term, String block, Sample sample) {
    boolean actor = term.equals("policy") || term.equals("entropy");
    if (block.equals("actor.sigma")) {
      return actor;
    }
    // The entropy of an unsquashed Gaussian does not depend on its mean.
    boolean meanMatters =
        !term.equals("entropy")
            || sample.slowPolicy().squash() != Squash.NONE
            || sample.actionSpace() instanceof ActionSpace.Discrete;
    return block.startsWith("shared")
        ? meanMatters
        : block.startsWith(actor ? "actor" : "critic") && meanMatters;
  }
}
