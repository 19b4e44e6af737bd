package io.quantail.audit;

import io.quantail.audit.slow.Numbers;
import io.quantail.audit.slow.SlowEstimates;
import io.quantail.audit.slow.SlowLoss;
import io.quantail.audit.slow.SlowOptimizer;
import io.quantail.audit.slow.SlowScaler;
import io.quantail.audit.slow.SlowUpdate;
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
import java.util.Map;
import java.util.stream.IntStream;

/** What reaches the parameters. */
final class GradientChecks {
  private static final String TOPIC = "gradient";
  private static final int PER_BLOCK = 60;
  private static final double NOISE = 0.05;

  private GradientChecks() {}

  static List<AuditCheck> all() {
    return List.of(
        AuditCheck.of(
            TOPIC,
            "loss-against-finite-differences",
            "BATCH-1 CRIT-3 POL-1 TWIN-2 VFC-1",
            "gradient of one step in LSTM, trunk and heads of a network of three units, moved off"
                + " the policy that collected, with differences of the slow loss",
            GradientChecks::finiteDifferences),
        AuditCheck.of(
            TOPIC,
            "accumulation",
            "BATCH-1",
            "gradient of a batch in one piece with that of as many pieces as there are sequences",
            GradientChecks::accumulation),
        AuditCheck.of(
            TOPIC,
            "order-of-scaling-and-clipping",
            "GRAD-1 VGS-1 VGS-2",
            "steps with variance scaling and a low norm limit with accumulate, scale, clip, step in"
                + " slow code",
            GradientChecks::order),
        AuditCheck.of(
            TOPIC,
            "policy-term-flow",
            "CRIT-3",
            "gradient norms of the policy term alone with zero",
            subject -> flow(subject, "policy")),
        AuditCheck.of(
            TOPIC,
            "critic-term-flow",
            "CRIT-3 TWIN-3",
            "gradient norms of the critic term alone with zero",
            subject -> flow(subject, "critic")),
        AuditCheck.of(
            TOPIC,
            "entropy-term-flow",
            "ENT-1",
            "gradient norms of the entropy term alone with zero",
            subject -> flow(subject, "entropy")),
        AuditCheck.of(
            TOPIC,
            "risk-term-flow",
            "CRIT-3 CVAR-3",
            "gradient norms of the predicted CVaR alone with zero",
            subject -> flow(subject, "risk")));
  }

  /** What the policy learns from: advantages and targets of a sample. */
  private record Lesson(double[] advantages, double[] targets) {
    static Lesson of(Sample sample) {
      double[] advantages = SlowEstimates.advantages(sample.collected());
      double[] returns = SlowEstimates.sum(advantages, sample.collected().values());
      return new Lesson(
          SlowEstimates.normalized(
              advantages, sample.collected().environments(), sample.config().rollout()),
          SlowEstimates.targets(returns, sample.scale()));
    }

    Lesson withoutAdvantages() {
      return new Lesson(new double[advantages.length], targets);
    }
  }

  /** The parameters a little away from those that collected: ratios and values have moved. */
  private static float[] moved(Sample sample) {
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/moved", 0);
    double[] values = sample.parameters();
    float[] moved = new float[values.length];
    for (int i = 0; i < moved.length; i++) {
      moved[i] = (float) (values[i] + NOISE * random.nextGaussian());
    }
    return moved;
  }

  /** Names of the parameters by the part of the network they belong to. */
  private static Map<String, List<Parameters.Slot>> blocks(Sample sample) {
    Map<String, List<Parameters.Slot>> blocks = new LinkedHashMap<>();
    for (Parameters.Slot slot : sample.slots()) {
      String[] parts = slot.name().split("\\.");
      String name = parts[0] + "." + parts[1];
      blocks.computeIfAbsent(name, any -> new ArrayList<>()).add(slot);
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
    Arrays.setAll(chosen, i -> all[(int) ((long) i * all.length / count)]);
    return chosen;
  }

  private static double[] at(double[] values, int[] places) {
    return Arrays.stream(places).mapToDouble(place -> values[place]).toArray();
  }

  private static Outcome finiteDifferences(AuditSubject subject) {
    Sample sample = subject.tiny();
    Lesson lesson = Lesson.of(sample);
    RunConfig config = Probe.plainStep(sample);
    float[] start = moved(sample);
    double[] actual =
        Probe.update(sample, config, start, lesson.advantages, lesson.targets).gradient();
    SlowLoss loss = Probe.slowLoss(sample, config, lesson.advantages, lesson.targets);
    double[] parameters = Numbers.doubles(start);
    double size = Arrays.stream(actual).map(Math::abs).max().orElseThrow();
    double worst = 0;
    List<String> errors = new ArrayList<>();
    for (Map.Entry<String, List<Parameters.Slot>> block : blocks(sample).entrySet()) {
      int[] places = places(block.getValue(), PER_BLOCK);
      double[] expected = loss.gradient(parameters, sample.allWindows(), places);
      double own = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
      double error = Deviation.absolute(at(actual, places), expected) / Math.max(own, 0.01 * size);
      worst = Math.max(worst, error);
      errors.add(block.getKey() + " " + Outcome.number(error));
    }
    return Outcome.noted(worst, 3e-4, String.join(", ", errors));
  }

  private static Outcome accumulation(AuditSubject subject) {
    Sample sample = subject.tiny();
    Lesson lesson = Lesson.of(sample);
    float[] start = moved(sample);
    int sequences = sample.rollout().shape().windows();
    int uneven = Math.max(1, sequences - 1); // pieces of one and of two sequences
    double[] whole = gradient(sample, lesson, start, 1);
    double error = 0;
    for (int pieces : new int[] {sequences, uneven}) {
      error = Math.max(error, Deviation.ofNorms(gradient(sample, lesson, start, pieces), whole));
    }
    return Outcome.error(error, 1e-5, "pieces do not weigh as much as they have samples");
  }

  private static double[] gradient(Sample sample, Lesson lesson, float[] start, int pieces) {
    RunConfig config = Probe.plainStep(sample, "ppo.microbatches=" + pieces);
    return Probe.update(sample, config, start, lesson.advantages, lesson.targets).gradient();
  }

  private static Outcome order(AuditSubject subject) {
    Sample sample = subject.tiny();
    Lesson lesson = Lesson.of(sample);
    double[] parameters = sample.parameters();
    float[] start = new float[parameters.length];
    for (int i = 0; i < start.length; i++) {
      start[i] = (float) parameters[i];
    }
    double norm =
        Numbers.norm(gradient(sample, lesson, start, sample.config().ppo().microbatches()));
    double limit = 0.3 * norm;
    RunConfig config =
        SampleSettings.with(
            Probe.plainStep(sample),
            "ppo.epochs=2",
            "ppo.batchSize=" + sample.config().ppo().batchSize(),
            "optimizer.learningRate=0.1",
            "optimizer.maxGradientNorm=" + limit,
            "optimizer.vgs.enabled=true",
            "optimizer.vgs.warmupSteps=1",
            "optimizer.vgs.alpha=1");
    Probe.Result actual = Probe.update(sample, config, start, lesson.advantages, lesson.targets);
    double[] expected = Numbers.doubles(start);
    List<Parameters.Slot> slots = sample.slots();
    SlowUpdate slow =
        new SlowUpdate(
            Probe.slowLoss(sample, config, lesson.advantages, lesson.targets),
            new SlowOptimizer(config.optimizer(), slots, config.seed()),
            new SlowScaler(config.optimizer().vgs()));
    slow.run(expected, 0, 2, 0.1);
    for (int i = 0; i < expected.length; i++) {
      expected[i] -= start[i];
    }
    double error = Deviation.ofNorms(actual.change(), expected);
    double after = actual.metrics().get("train/grad_norm_post_clip");
    return Outcome.of(
        error <= 1e-3 && after <= limit * (1 + 1e-6),
        Outcome.number(error),
        "<= 1e-3",
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
    Lesson lesson =
        term.equals("policy") ? Lesson.of(sample) : Lesson.of(sample).withoutAdvantages();
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
    float[] start = moved(sample);
    double[] gradient =
        Probe.update(sample, config, start, lesson.advantages, lesson.targets).gradient();
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
