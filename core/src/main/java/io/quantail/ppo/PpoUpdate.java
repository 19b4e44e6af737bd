package io.quantail.ppo;

import io.quantail.config.RiskMode;
import io.quantail.config.RunConfig;
import io.quantail.critic.Cvar;
import io.quantail.kernel.Workspace;
import io.quantail.metrics.Metrics;
import io.quantail.nn.ParameterReplica;
import io.quantail.parallel.WorkerPool;
import io.quantail.random.RandomStream;
import io.quantail.rollout.Agent;
import io.quantail.rollout.AgentModel;
import io.quantail.rollout.GroupWeights;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.state.StateMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/**
 * One PPO update: several epochs over a rollout in shuffled batches of windows.
 *
 * <p>Every batch is cut into a fixed number of pieces that worker threads differentiate side by
 * side; the gradients are added in the order of the pieces, so the number of threads does not
 * change a bit of the result.
 *
 * <p>See: Schulman, Wolski, Dhariwal, Radford, Klimov, "Proximal policy optimization algorithms",
 * 2017, arXiv:1707.06347.
 */
public final class PpoUpdate {
  /** Transitions; statistics of fewer would tell little. */
  private static final int LEAST_MEASURED = 128;

  private final RunConfig config;

  private final AgentModel model;
  private final WorkerPool workers;
  private final PpoLoss loss;
  private final Predictor predictor;
  private final RobustStep robustStep;
  private final GradientStep gradientStep;
  private final UpdateControl control;
  private final List<ParameterReplica> replicas = new ArrayList<>();

  public PpoUpdate(RunConfig config, AgentModel model, WorkerPool workers) {
    this.config = config;
    this.model = model;
    this.workers = workers;
    Agent agent = model.agent();
    loss = new PpoLoss(agent, config.ppo());
    predictor = new Predictor(agent, config.risk(), workers);
    robustStep = new RobustStep(config, agent);
    gradientStep =
        new GradientStep(
            config.optimizer(), model.parameters(), agent.network(), config.seed(), workers);
    control = new UpdateControl(config.ppo(), config.critic());
    for (int piece = 0; piece < config.ppo().microbatches(); piece++) {
      replicas.add(model.parameters().replica(workers));
    }
  }

  /**
   * Improves the policy and the critics with one rollout.
   *
   * @param risk what the limit on the tail asks of this update
   * @param progress share of the run that is done, in [0, 1]
   * @param steps environment steps done
   */
  public void run(
      Rollout rollout,
      Estimates estimates,
      RiskDecision risk,
      double progress,
      long steps,
      Metrics metrics) {
    LossCoefficients coefficients = control.coefficients(steps, risk.term());
    control.report(metrics, coefficients);
    reportBatching(metrics);
    reportRiskGradient(metrics, rollout, risk);
    gradientStep.report(metrics, progress);
    double learningRate = gradientStep.learningRate(progress).rate();
    UpdateStatistics statistics =
        new UpdateStatistics(coefficients, model.network().valueHeads().size());
    RandomStream shuffle = RandomStream.of(config.seed(), "shuffle", control.update());

    RobustStep.Course robust = robustStep.begin(control.update());
    KlStatistics klStatistics = new KlStatistics();
    Optional<KlEarlyStop> earlyStop = control.earlyStop();
    KlEarlyStop.State klState = KlEarlyStop.State.START;
    Optional<String> stop = Optional.empty();
    int epochs = control.epochs();
    for (int epoch = 0; epoch < epochs && stop.isEmpty(); epoch++) {
      klState = klState.nextEpoch();
      for (int[] windows : batches(shuffle.permutation(rollout.shape().windows()))) {
        List<int[]> pieces = pieces(windows);
        List<LossResult> results = backward(rollout, pieces, estimates, coefficients);
        robust.backward(replicas, rollout, pieces, results, workers);
        boolean measured = statistics.stepsTaken() == 0; // the first step speaks for the update
        GradientStep.Report step =
            workers.run(
                () -> gradientStep.apply(replicas, results, learningRate, measured),
                () -> statistics.add(results));
        statistics.add(step);
        double kl = statistics.lastDivergence();
        // A step without a usable piece has not moved the policy and has no KL to judge.
        if (earlyStop.isPresent() && !Double.isNaN(kl)) {
          KlEarlyStop.Step judged = earlyStop.get().afterStep(klState, kl);
          klState = judged.state();
          stop = judged.stop();
          klStatistics.add(kl, judged);
        }
        if (stop.isPresent()) {
          break;
        }
      }
      if (stop.isEmpty()) {
        statistics.epochCompleted();
        KlEarlyStop.State finished = klState;
        stop = earlyStop.flatMap(rules -> rules.afterEpoch(finished));
      }
    }

    statistics.report(metrics);
    robust.report(metrics);
    gradientStep.reportNoise(metrics);
    if (earlyStop.isPresent()) {
      klStatistics.report(metrics, stop, klState.exceededShare());
    }
    if (statistics.stepsTaken() == 0) {
      control.refuse(metrics);
      return;
    }
    control.reportOutcome(metrics, statistics.meanDivergence(), stop.isPresent());
    control.finish(statistics.meanDivergence(), statistics.meanEntropy(), stop.isPresent());
  }

  private void reportBatching(Metrics metrics) {
    int pieces = config.ppo().microbatches();
    metrics.put("train/expected_batch_size", config.ppo().batchSize());
    metrics.put("train/microbatch_size", (double) config.ppo().batchSize() / pieces);
    metrics.put("train/grad_accum_steps", pieces);
  }

  /** A tail of few samples has a noisy gradient; its size shows whether it drowns the others. */
  private void reportRiskGradient(Metrics metrics, Rollout rollout, RiskDecision risk) {
    if (risk.term().isPresent() && config.risk().alpha() < Cvar.SMALL_ALPHA) {
      int[] windows = batches(identity(rollout.shape().windows())).get(0);
      SequenceBatch batch = new SequenceBatch(rollout, windows);
      metrics.put(
          "debug/cvar_gradient_norm",
          loss.riskGradientNorm(replicas.get(0), batch, risk.term().get()));
    }
  }

  private List<int[]> pieces(int[] windows) {
    int count = replicas.size();
    List<int[]> pieces = new ArrayList<>();
    for (int piece = 0; piece < count; piece++) {
      int from = windows.length * piece / count;
      int to = windows.length * (piece + 1) / count;
      pieces.add(Arrays.copyOfRange(windows, from, to));
    }
    return pieces;
  }

  private List<LossResult> backward(
      Rollout rollout, List<int[]> pieces, Estimates estimates, LossCoefficients coefficients) {
    model.parameters().refresh(workers);
    double[] weights =
        GroupWeights.of(pieces.stream().mapToDouble(piece -> piece.length).toArray());
    List<Callable<LossResult>> tasks = new ArrayList<>();
    for (int i = 0; i < pieces.size(); i++) {
      int piece = i;
      tasks.add(
          () ->
              loss.backward(
                  replicas.get(piece),
                  new SequenceBatch(rollout, pieces.get(piece)),
                  estimates,
                  coefficients,
                  weights[piece]));
    }
    return workers.run(tasks);
  }

  /**
   * What the network says with the present parameters: of all transitions where that steers the
   * training, otherwise of a random share of the windows, because all would cost as much as a third
   * of an epoch.
   *
   * @param meanwhile what else the workers have to do
   */
  public Predictions predict(Rollout rollout, List<Runnable> meanwhile) {
    int windows = rollout.shape().windows();
    int[] order = RandomStream.of(config.seed(), "measured", control.update()).permutation(windows);
    int[] measured = predictionsSteer() ? order : Arrays.copyOf(order, measured(windows));
    Arrays.sort(measured);
    List<List<int[]>> pieces = pieces(measured).stream().map(this::batches).toList();
    List<Workspace> workspaces = replicas.stream().map(ParameterReplica::workspace).toList();
    return predictor.predict(rollout, pieces, workspaces, meanwhile);
  }

  private int measured(int windows) {
    double share = Math.ceil(config.training().measuredShare() * windows);
    double least = Math.ceil((double) LEAST_MEASURED / config.ppo().sequenceLength());
    return (int) Math.min(windows, Math.max(share, least));
  }

  private boolean predictionsSteer() {
    RiskMode mode = config.risk().mode();
    return mode == RiskMode.PENALTY
        || mode == RiskMode.CONSTRAINT
        || config.critic().clip().thresholdExplainedVariance() != null;
  }

  private static int[] identity(int size) {
    return IntStream.range(0, size).toArray();
  }

  private List<int[]> batches(int[] order) {
    int size = config.ppo().batchSize() / config.ppo().sequenceLength();
    List<int[]> batches = new ArrayList<>();
    for (int from = 0; from < order.length; from += size) {
      batches.add(Arrays.copyOfRange(order, from, Math.min(order.length, from + size)));
    }
    return batches;
  }

  /** Takes in how much of the returns the critics explain after an update; empty if undefined. */
  public void observe(OptionalDouble explainedVariance) {
    control.observe(explainedVariance);
  }

  /** Hands over everything that moves. */
  public void save(StateMap state) {
    control.save(state.child("control"));
    gradientStep.save(state.child("optimizer"));
  }

  /** Takes back what {@link #save} handed over. */
  public void load(StateMap state) {
    control.load(state.child("control"));
    gradientStep.load(state.child("optimizer"));
  }

  /** Takes over what another agent's update handed over; see {@link GradientStep#adopt}. */
  public void adopt(StateMap state, boolean moments) {
    control.load(state.child("control"));
    gradientStep.adopt(state.child("optimizer"), moments);
  }

  /** The learning rate that a step at a share of the run uses. */
  public double learningRate(double progress) {
    return gradientStep.learningRate(progress).rate();
  }

  /** How many updates in a row changed nothing because no loss or gradient was finite. */
  public long refused() {
    return control.refused();
  }

  /** How many updates have been made. */
  public long updates() {
    return control.update();
  }
}
