package io.quantail.ppo;

import io.quantail.config.RunConfig;
import io.quantail.loss.LossCoefficients;
import io.quantail.loss.LossResult;
import io.quantail.loss.PpoLoss;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.network.ParameterReplica;
import io.quantail.optim.MicrobatchWeights;
import io.quantail.optim.OptimizerStep;
import io.quantail.optim.VarianceGradientScaler;
import io.quantail.parallel.WorkerPool;
import io.quantail.random.RandomStream;
import io.quantail.risk.CvarDecision;
import io.quantail.robust.RobustLossTerm;
import io.quantail.rollout.Rollout;
import io.quantail.rollout.SequenceBatch;
import io.quantail.rollout.TrainingTargets;
import io.quantail.state.Restorable;
import io.quantail.state.StateMap;
import io.quantail.telemetry.UpdateStatistics;
import io.quantail.value.Cvar;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/**
 * One PPO update: several epochs over a rollout in shuffled minibatches of windows.
 *
 * <p>Every minibatch is split into a fixed number of microbatches that worker threads differentiate
 * in parallel; the gradients are added in the order of the microbatches, so the number of threads
 * does not change a bit of the result.
 *
 * <p>The KL divergence of a minibatch is known from its forward pass. If it is too large, the step
 * of that minibatch is not taken and the update ends; see {@link KlEarlyStop}.
 *
 * <p>See: Schulman, Wolski, Dhariwal, Radford, Klimov, "Proximal policy optimization algorithms",
 * 2017, arXiv:1707.06347.
 */
public final class PpoUpdate implements Restorable {
  private final RunConfig config;
  private final AgentModel model;
  private final WorkerPool workers;
  private final PpoLoss loss;
  private final RobustLossTerm robustTerm;
  private final OptimizerStep gradientStep;
  private final UpdateController control;
  private final List<ParameterReplica> replicas = new ArrayList<>(); // one per microbatch

  /** The updates of a model, with the settings of a run. */
  public PpoUpdate(RunConfig config, AgentModel model, WorkerPool workers) {
    this.config = config;
    this.model = model;
    this.workers = workers;
    ActingModel agent = model.agent();
    loss = new PpoLoss(agent, config.ppo());
    robustTerm = new RobustLossTerm(config, agent);
    gradientStep =
        new OptimizerStep(
            config.optimizer(), model.parameters(), agent.network(), config.seed(), workers);
    control = new UpdateController(config.ppo(), config.critic());
    for (int i = 0; i < config.ppo().microbatches(); i++) {
      replicas.add(model.parameters().replica(workers));
    }
  }

  /**
   * The coefficients, losses and steps of one update; {@link UpdateTelemetry} reports them.
   *
   * @param plan coefficients and limits
   * @param limits learning rate and gradient limit
   * @param riskGradientNorm norm of the gradient of the risk term on the first minibatch; empty
   *     where it is not measured
   * @param statistics losses, ratios and gradients
   * @param kl early stop
   * @param robust robust term; empty without robust training
   * @param noise noise of the gradients; empty without variance scaling
   * @param outcome effect on the following updates
   */
  public record Result(
      UpdateController.Plan plan,
      OptimizerStep.Limits limits,
      OptionalDouble riskGradientNorm,
      UpdateStatistics statistics,
      KlStatistics kl,
      Optional<RobustLossTerm.Summary> robust,
      Optional<VarianceGradientScaler.Reading> noise,
      UpdateController.Outcome outcome) {}

  /**
   * Improves the policy and the critics with one rollout.
   *
   * @param estimates advantages and critic targets of the rollout
   * @param risk how strongly the CVaR limit acts in this update
   * @param progress fraction of the run that is done, in [0, 1]
   * @param steps environment steps done
   */
  public Result run(
      Rollout rollout, TrainingTargets estimates, CvarDecision risk, double progress, long steps) {
    UpdateController.Plan plan = control.plan(progress, steps, risk.term());
    OptimizerStep.Limits limits = gradientStep.limits(progress);
    OptionalDouble riskGradientNorm = riskGradientNorm(rollout, risk);
    RobustLossTerm.Course robust = robustTerm.begin(control.update());
    KlStatistics kl = new KlStatistics(control.earlyStop());
    UpdateStatistics statistics =
        new UpdateStatistics(plan.coefficients(), model.network().valueHeads().size());
    RandomStream shuffle = RandomStream.of(config.seed(), "shuffle", control.update());

    for (int epoch = 0; epoch < plan.epochs() && !kl.stopped(); epoch++) {
      kl.startEpoch();
      for (int[] windows : minibatches(shuffle.permutation(rollout.shape().windows()))) {
        List<int[]> microbatches = SequenceBatch.split(windows, replicas.size());
        List<LossResult> losses = gradient(rollout, microbatches, estimates, plan.coefficients());
        if (kl.refuses(losses, statistics.stepsTaken())) {
          statistics.add(losses); // measured, although no step follows
          break;
        }
        robust.backward(replicas, rollout, microbatches, usable(losses), workers);
        boolean measured = statistics.stepsTaken() == 0; // the first step represents the update
        OptimizerStep.Report step =
            workers.run(
                () ->
                    gradientStep.apply(
                        replicas, samples(losses), usable(losses), limits.rate(), measured),
                () -> statistics.add(losses));
        statistics.add(step);
      }
      if (!kl.stopped()) {
        statistics.epochCompleted();
        kl.afterEpoch();
      }
    }

    UpdateController.Outcome outcome =
        statistics.stepsTaken() == 0
            ? control.refuse()
            : control.finish(statistics.meanDivergence(), statistics.meanEntropy(), kl.stopped());
    return new Result(
        plan,
        limits,
        riskGradientNorm,
        statistics,
        kl,
        robust.summary(),
        gradientStep.noise(),
        outcome);
  }

  /** Leaves the weighted gradient of the loss of each microbatch in its replica. */
  private List<LossResult> gradient(
      Rollout rollout,
      List<int[]> microbatches,
      TrainingTargets estimates,
      LossCoefficients coefficients) {
    model.parameters().refresh(workers);
    double[] weights =
        MicrobatchWeights.of(
            microbatches.stream().mapToDouble(windows -> windows.length).toArray());
    List<Callable<LossResult>> tasks = new ArrayList<>();
    for (int i = 0; i < microbatches.size(); i++) {
      int index = i;
      tasks.add(
          () ->
              loss.backward(
                  replicas.get(index),
                  new SequenceBatch(rollout, microbatches.get(index)),
                  estimates,
                  coefficients,
                  weights[index]));
    }
    return workers.run(tasks);
  }

  /** A tail of few samples has a noisy gradient; its norm shows whether it dominates the others. */
  private OptionalDouble riskGradientNorm(Rollout rollout, CvarDecision risk) {
    if (risk.term().isEmpty() || config.risk().alpha() >= Cvar.SMALL_ALPHA) {
      return OptionalDouble.empty();
    }
    int[] windows = minibatches(identity(rollout.shape().windows())).get(0);
    SequenceBatch batch = new SequenceBatch(rollout, windows);
    return OptionalDouble.of(loss.riskGradientNorm(replicas.get(0), batch, risk.term().get()));
  }

  private List<int[]> minibatches(int[] windows) {
    return SequenceBatch.chunks(windows, config.ppo().batchSize() / config.ppo().sequenceLength());
  }

  private static int[] identity(int size) {
    return IntStream.range(0, size).toArray();
  }

  private static double[] samples(List<LossResult> losses) {
    return losses.stream().mapToDouble(LossResult::samples).toArray();
  }

  private static boolean[] usable(List<LossResult> losses) {
    boolean[] usable = new boolean[losses.size()];
    for (int i = 0; i < usable.length; i++) {
      usable[i] = losses.get(i).usable();
    }
    return usable;
  }

  /** Records the explained variance of the returns after an update; empty if undefined. */
  public void observe(OptionalDouble explainedVariance) {
    control.observe(explainedVariance);
  }

  @Override
  public void save(StateMap state) {
    control.save(state.child("control"));
    gradientStep.save(state.child("optimizer"));
  }

  @Override
  public Runnable restoring(StateMap state) {
    return restoring(state, true);
  }

  /** Reads the state of another agent's update; see {@link OptimizerStep#restoring}. */
  public Runnable restoring(StateMap state, boolean moments) {
    Runnable schedules = control.restoring(state.child("control"));
    Runnable optimizer = gradientStep.restoring(state.child("optimizer"), moments);
    return () -> {
      schedules.run();
      optimizer.run();
    };
  }

  /** The learning rate of a step at a fraction of the run. */
  public double learningRate(double progress) {
    return gradientStep.limits(progress).rate();
  }

  /** The number of updates in a row that changed nothing because no gradient was finite. */
  public long refused() {
    return control.refused();
  }

  /** The number of updates so far. */
  public long updates() {
    return control.update();
  }
}
