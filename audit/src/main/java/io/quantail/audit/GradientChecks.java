package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;

import io.quantail.audit.reference.ReferenceLoss;
import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceOptimizer;
import io.quantail.audit.reference.ReferenceUpdate;
import io.quantail.audit.reference.ReferenceVarianceScaler;
import io.quantail.config.PpoConfig;
import io.quantail.config.RunConfig;
import io.quantail.config.SettingNames;
import io.quantail.network.Parameters;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Gradients of the loss by the parameters. */
final class GradientChecks {

  /** All classes between a rollout and the gradient of its loss. */
  private static final String LOSS_PATH =
      "PpoUpdate PpoLoss PolicyLoss LossSums SequenceBatch"
          + " MicrobatchWeights OptimizerStep WorkerPool ActorCritic NetworkPass Trunk"
          + " PolicyHead GaussianPolicy CategoricalPolicy ProductPolicy Squashing SquashedEntropy Parameters"
          + " RecurrentState LstmLayer LstmGates AffineMap PackedWeights PanelMatrix RowMatrix"
          + " GradientProducts MatrixProducts SequencePacking DenseLayer SkipMlp ActivationFunction TanhApproximation NegativeExponential"
          + " FloatVectors QuantileHuberLoss QuantileCritic CategoricalCritic AtomSupport ValueClip ClippedLoss"
          + " CvarLossTerm CvarDecision EmpiricalCvar ParallelLoop Cvar LstmGateLoops QuantileHuberLoop TanhLoop VectorMath MatrixTiles"
          + " VectorLanes";

  private static final int PER_SLOT = 12;
  private static final double SINGLE = 5e-5; // of the gradient's size, in single precision

  /** The smallest fraction of the gradient that is used as the unit of a tensor's error. */
  private static final double SMALL = 0.01;

  /** Products of the reference network that one check may compute: a few seconds. */
  private static final double AFFORDABLE = 5e9;

  /** Longer steps of a small network amplify rounding from one step to the next. */
  private static final double LONGEST_STEP = 0.1;

  private GradientChecks() {}

  static List<AuditCheck> all() {
    return AuditCheck.topic(
        "gradient",
        check(
                "loss-against-finite-differences",
                "BATCH-1 CRIT-3 POL-1 TWIN-2 VFC-1",
                SINGLE,
                GradientChecks::finiteDifferences)
            .compares(
                "gradient of one step by parameters of every tensor of a small network with"
                    + " differences of the reference loss; ratios lie inside and outside of the"
                    + " clip range on both sides, for advantages of both signs")
            .exercises(LOSS_PATH),
        check(
                "loss-along-directions",
                "BATCH-1 CRIT-3 POL-1 TWIN-2 VFC-1",
                SINGLE,
                GradientChecks::directions)
            .compares(
                "gradient of one step of the configured network, tensor by tensor, along random"
                    + " directions, with differences of the reference loss")
            .exercises(LOSS_PATH),
        check("far-ratios", "POL-1", SINGLE, GradientChecks::farRatios)
            .compares(
                "loss, gradient and KL estimates of one step whose log-ratios exceed 20 on both"
                    + " sides with the reference loss, for both bounds of the log-ratio")
            .exercises("PpoUpdate PpoLoss PolicyLoss RatioStatistics"),
        check("accumulation", "BATCH-1", 3e-6, GradientChecks::accumulation)
            .compares(
                "gradient of a minibatch as a whole with that of as many microbatches as there are"
                    + " sequences")
            .exercises("PpoUpdate PpoLoss OptimizerStep MicrobatchWeights")
            .failureMeans("microbatches are not weighted by their number of samples"),
        check("order-of-scaling-and-clipping", "GRAD-1 VGS-1 VGS-2", 1e-4, GradientChecks::order)
            .compares(
                "steps with variance scaling and a low norm limit with accumulate, scale, clip,"
                    + " step in the reference implementation")
            .exercises(
                "OptimizerStep VarianceGradientScaler GradientNormClip Sgd PpoUpdate ParameterReplica"
                    + " FloatVectors"),
        check("policy-term-flow", "CRIT-3", subject -> GradientFlowChecks.flow(subject, "policy"))
            .compares(
                "gradient norm of the policy term alone in every part of the network with zero")
            .exercises("PpoLoss NetworkPass Trunk"),
        check(
                "critic-term-flow",
                "CRIT-3 TWIN-3",
                subject -> GradientFlowChecks.flow(subject, "critic"))
            .compares(
                "gradient norm of the critic term alone in every part of the network with zero")
            .exercises("PpoLoss NetworkPass Trunk"),
        check("entropy-term-flow", "ENT-1", subject -> GradientFlowChecks.flow(subject, "entropy"))
            .compares(
                "gradient norm of the entropy term alone in every part of the network with zero")
            .exercises("PpoLoss NetworkPass PolicyHead")
            .unless(GradientFlowChecks::noEntropy, "ppo.entropy.coefficient is 0"),
        check(
                "risk-term-flow",
                "CRIT-3 CVAR-3",
                subject -> GradientFlowChecks.flow(subject, "risk"))
            .compares(
                "gradient norm of the predicted CVaR alone in every part of the network with zero")
            .exercises("PpoLoss CvarLossTerm")
            .unless(
                GradientFlowChecks::criticsAreFree, "risk.mode is neither penalty nor constraint"));
  }

  /**
   * The same update with stored log-probabilities that give the listed log-ratios, one after the
   * other, to actions with positive and to actions with negative advantages.
   */
  private static UpdateProbe withLogRatios(UpdateProbe probe, double... logRatios) {
    double[] logs = probe.referenceLoss().logProbabilities(ReferenceMath.doubles(probe.start()));
    int[] next = new int[2];
    for (int i = 0; i < logs.length; i++) {
      int sign = probe.targets().advantages()[i] > 0 ? 1 : 0;
      logs[i] = (float) (logs[i] - logRatios[next[sign]++ % logRatios.length]);
    }
    return probe.withOldLogs(logs);
  }

  /** An update with ratios inside and well outside of its clip range, on both sides. */
  private static UpdateProbe aroundClipRange(SampleRollout sample) {
    UpdateProbe probe = UpdateProbe.moved(sample, UpdateProbe.plainStep(sample));
    double range = probe.referenceLoss().weights().clipRange();
    return withLogRatios(
        probe, Math.log1p(2 * range), Math.log1p(0.4 * range), -2.5 * range, -0.4 * range);
  }

  private static Deviation finiteDifferences(AuditSubject subject) {
    UpdateProbe probe = aroundClipRange(subject.tiny());
    return tensors(
        probe,
        PER_SLOT,
        Deviation::largest,
        (parameters, size) ->
            Arrays.stream(parameters).mapToObj(parameter -> unit(parameter, size)).toList(),
        "");
  }

  private static double[] unit(int parameter, int size) {
    double[] direction = new double[size];
    direction[parameter] = 1;
    return direction;
  }

  private static Deviation directions(AuditSubject subject) {
    SampleRollout sample = subject.own();
    RandomStream random = RandomStream.of(sample.config().seed(), "audit/directions", 0);
    int transitions = sample.experience().size();
    double cost = 4.0 * sample.parameters().length * transitions * sample.slots().size();
    int count = cost > AFFORDABLE ? 1 : 2;
    return tensors(
        aroundClipRange(sample),
        Integer.MAX_VALUE,
        ReferenceMath::norm,
        (parameters, size) ->
            Stream.generate(() -> random(random, parameters, size)).limit(count).toList(),
        String.format(
            Locale.ROOT,
            "%d units, %d outputs of a critic, %d transitions: ",
            sample.config().network().hidden(),
            sample.agent().critic().outputs(),
            transitions));
  }

  private static double[] random(RandomStream random, int[] parameters, int size) {
    double[] direction = new double[size];
    for (int parameter : parameters) {
      direction[parameter] = random.nextGaussian();
    }
    return direction;
  }

  /** Directions in which some parameters out of a number of all parameters change. */
  @FunctionalInterface
  private interface Directions {
    List<double[]> of(int[] parameters, int size);
  }

  /**
   * Compares the gradient of an update with differences of the reference loss, tensor by tensor.
   *
   * @param most parameters of each tensor to compare
   * @param size of a part of the gradient, in which errors are measured
   */
  private static Deviation tensors(
      UpdateProbe probe,
      int most,
      ToDoubleFunction<double[]> size,
      Directions directions,
      String note) {
    double[] gradient = probe.update().gradient();
    ReferenceLoss loss = probe.referenceLoss();
    double smallest = SMALL * size.applyAsDouble(gradient);
    Deviation deviation = new Deviation();
    Map<String, Double> errors = new LinkedHashMap<>();
    for (Parameters.Slot slot : probe.sample().slots()) {
      int[] parameters = Tensors.parameters(List.of(slot), most);
      double unit = Math.max(size.applyAsDouble(Tensors.at(gradient, parameters)), smallest);
      for (double[] direction : directions.of(parameters, gradient.length)) {
        double error = probe.error(loss, gradient, direction, SINGLE * unit) / unit;
        deviation.add(error);
        errors.merge(Tensors.block(slot), error, Math::max);
      }
    }
    return deviation.note("%s%s", note, Tensors.described(errors));
  }

  private static Deviation farRatios(AuditSubject subject) {
    SampleRollout sample = subject.tiny();
    Deviation deviation = new Deviation();
    for (PpoConfig.RatioBound bound : PpoConfig.RatioBound.values()) {
      RunConfig config =
          UpdateProbe.plainStep(sample, "ppo.ratioBound=" + SettingNames.written(bound));
      UpdateProbe probe =
          withLogRatios(UpdateProbe.moved(sample, config), 25, -0.3, -25, 0.3, 19, -19);
      UpdateProbe.Result actual = probe.update();
      ReferenceLoss.Terms terms =
          probe.referenceLoss().of(ReferenceMath.doubles(probe.start()), sample.allWindows());
      Map<String, Double> metrics = actual.metrics();
      double loss =
          new Deviation()
              .add(
                  Objects.requireNonNull(metrics.get("train/policy_loss_ppo")) / terms.surrogate(),
                  1)
              .add(Objects.requireNonNull(metrics.get("train/approx_kl")), terms.firstKl(), 20)
              .add(
                  Objects.requireNonNull(metrics.get("train/approx_kl_k3")),
                  terms.thirdKl(),
                  Math.abs(terms.thirdKl()))
              .error();
      RandomStream random = RandomStream.of(sample.config().seed(), "audit/far", 0);
      double slope = probe.errorAlong(actual.gradient(), random, 3, SINGLE);
      deviation
          .add(loss)
          .add(slope)
          .note("%s: loss %s, gradient %s", SettingNames.written(bound), loss, slope);
    }
    return deviation;
  }

  private static Deviation accumulation(AuditSubject subject) {
    SampleRollout sample = subject.tiny();
    float[] start = UpdateProbe.movedParameters(sample);
    int sequences = sample.rollout().shape().windows();
    int uneven = Math.max(1, sequences - 1); // microbatches of one and of two sequences
    double[] whole = gradient(sample, start, 1);
    return Deviation.of(Deviation.ofNorms(gradient(sample, start, sequences), whole))
        .add(Deviation.ofNorms(gradient(sample, start, uneven), whole));
  }

  private static double[] gradient(SampleRollout sample, float[] start, int microbatches) {
    RunConfig config = UpdateProbe.plainStep(sample, "ppo.microbatches=" + microbatches);
    return new UpdateProbe(sample, config, start, ReferenceTargets.of(sample)).update().gradient();
  }

  private static Deviation order(AuditSubject subject) {
    SampleRollout sample = subject.tiny();
    float[] start = ReferenceMath.floats(sample.parameters());
    double limit =
        0.3 * ReferenceMath.norm(gradient(sample, start, sample.config().ppo().microbatches()));
    double rate = Math.min(1, LONGEST_STEP / limit);
    RunConfig config =
        SampleConfig.with(
            UpdateProbe.plainStep(sample),
            "critic.huberKappa=1", // without kinks that the steps could reach
            "ppo.epochs=2",
            "ppo.batchSize=" + sample.config().ppo().batchSize(),
            "optimizer.learningRate=" + rate,
            "optimizer.maxGradientNorm=" + limit,
            "optimizer.vgs.enabled=true",
            "optimizer.vgs.warmupSteps=1",
            "optimizer.vgs.alpha=1");
    UpdateProbe probe = new UpdateProbe(sample, config, start, ReferenceTargets.of(sample));
    UpdateProbe.Result actual = probe.update();
    double[] expected = ReferenceMath.doubles(start);
    ReferenceUpdate reference =
        new ReferenceUpdate(
            probe.referenceLoss(),
            new ReferenceOptimizer(config.optimizer(), sample.slots(), config.seed()),
            new ReferenceVarianceScaler(config.optimizer().vgs()));
    reference.run(expected, 0, 2, rate);
    double[] change = ReferenceMath.minus(expected, ReferenceMath.doubles(start));
    double after = Objects.requireNonNull(actual.metrics().get("train/grad_norm_post_clip"));
    return Deviation.of(Deviation.ofNorms(actual.change(), change))
        .require(after <= limit * (1 + 1e-6))
        .note("norm after clipping %s, limit %s", after, limit);
  }
}
