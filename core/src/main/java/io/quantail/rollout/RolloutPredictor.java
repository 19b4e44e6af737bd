package io.quantail.rollout;

import io.quantail.config.RiskConfig;
import io.quantail.config.RunConfig;
import io.quantail.kernel.Workspace;
import io.quantail.model.ActingModel;
import io.quantail.network.NetworkPass;
import io.quantail.network.PolicyDistribution;
import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import io.quantail.rollout.RolloutPredictions.GaussianShift;
import io.quantail.value.Critic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Evaluates a rollout with the current parameters, without gradients.
 *
 * <p>It evaluates all transitions where the result controls the training, and otherwise a random
 * fraction of the windows, because all would cost as much as a third of an epoch.
 */
public final class RolloutPredictor {
  /**
   * Transitions; statistics of fewer are too noisy, as the table of {@code
   * docs/reference/health-rules.md} shows.
   */
  private static final int LEAST_MEASURED = 256;

  private final RunConfig config;
  private final RiskConfig risk;
  private final ActingModel agent;
  private final ParallelLoop loop;
  private final List<Workspace> workspaces = new ArrayList<>();

  /**
   * @param loop runs the parts of the evaluation
   */
  public RolloutPredictor(RunConfig config, ActingModel agent, ParallelLoop loop) {
    this.config = config;
    this.risk = config.risk();
    this.agent = agent;
    this.loop = loop;
    for (int i = 0; i < config.ppo().microbatches(); i++) {
      workspaces.add(new Workspace());
    }
  }

  /**
   * The predictions for the measured windows of a rollout, in the order of time and environment.
   *
   * @param update number of updates so far; the measured windows follow from it
   */
  public RolloutPredictions predict(Rollout rollout, long update) {
    int windows = rollout.shape().windows();
    int[] order = RandomStream.of(config.seed(), "measured", update).permutation(windows);
    int[] measured = controlsTraining() ? order : Arrays.copyOf(order, measured(windows));
    Arrays.sort(measured);
    List<int[]> parts = SequenceBatch.split(measured, workspaces.size());
    List<List<RolloutPredictions>> predictions =
        new ArrayList<>(Collections.nCopies(parts.size(), null));
    loop.each(
        parts.size(),
        part -> predictions.set(part, predict(workspaces.get(part), rollout, parts.get(part))));
    return joined(predictions.stream().flatMap(List::stream).toList());
  }

  private int measured(int windows) {
    double share = Math.ceil(config.training().measuredShare() * windows);
    double least = Math.ceil((double) LEAST_MEASURED / config.ppo().sequenceLength());
    return (int) Math.min(windows, Math.max(share, least));
  }

  private boolean controlsTraining() {
    return risk.mode() == RiskConfig.Mode.PENALTY
        || config.critic().clip().thresholdExplainedVariance() != null;
  }

  private List<RolloutPredictions> predict(Workspace workspace, Rollout rollout, int[] windows) {
    int size = config.ppo().batchSize() / config.ppo().sequenceLength();
    return SequenceBatch.chunks(windows, size).stream()
        .map(chunk -> predict(workspace, new SequenceBatch(rollout, chunk)))
        .toList();
  }

  /** The predictions for the rows of one batch, in their order. */
  private RolloutPredictions predict(Workspace workspace, SequenceBatch batch) {
    workspace.reset();
    NetworkPass pass = agent.network().evaluate(workspace, agent.inference(), batch.sequences());
    int rows = batch.size();
    Values values = new Values(rows, agent.network().valueHeads().size());
    Policy policy = new Policy(batch, pass);
    for (int row = 0; row < rows; row++) {
      values.read(row, pass.values()[row]);
      policy.read(row);
    }
    return new RolloutPredictions(
        batch.transitions(),
        values.lowest,
        values.quantiles,
        values.cvars,
        values.gaps,
        values.meanGaps,
        values.shapes,
        policy.logProbabilities,
        policy.shift);
  }

  /** The predictions of the critics, row by row. */
  private final class Values {
    private final Critic critic = agent.critic();
    private final int critics;
    private final double[] lowest;
    private final double[] quantiles;
    private final double[] cvars;
    private final double[] gaps;
    private final double[] meanGaps;
    private final double[] shapes;

    Values(int rows, int critics) {
      this.critics = critics;
      lowest = new double[rows];
      quantiles = new double[rows * RolloutPredictions.LEVELS.size()];
      cvars = new double[rows];
      gaps = new double[critics < 2 ? 0 : rows];
      meanGaps = new double[rows];
      shapes = new double[rows];
    }

    void read(int row, float[] outputs) {
      int offset = critic.lower(outputs);
      critic.read(outputs, offset);
      lowest[row] = critic.mean(outputs, offset);
      int place = row * RolloutPredictions.LEVELS.size();
      for (double level : RolloutPredictions.LEVELS) {
        quantiles[place++] = critic.quantile(level);
      }
      cvars[row] = critic.cvar(risk.alpha(), risk.method());
      meanGaps[row] = critic.meanGap();
      shapes[row] = critic.irregularity(outputs, offset);
      if (critics > 1) {
        gaps[row] = Math.abs(critic.mean(outputs, 0) - critic.mean(outputs, critic.outputs()));
      }
    }
  }

  /** The policy at the actions that were taken, row by row. */
  private final class Policy {
    private final NetworkPass pass;
    private final PolicyDistribution policy;
    private final float[] taken;
    private final float[] collecting; // mean and sigma of each component, like the next
    private final float[] present;
    private final int size;
    private final double[] logProbabilities;
    private final Optional<GaussianShift> shift; // empty for discrete actions

    Policy(SequenceBatch batch, NetworkPass pass) {
      this.pass = pass;
      policy = pass.policy();
      int rows = batch.size();
      taken = batch.rawActions();
      collecting = batch.distributions();
      present = new float[batch.distributionSize()];
      size = batch.actionSize();
      logProbabilities = new double[rows];
      shift =
          agent.network().gaussian()
              ? Optional.of(
                  new GaussianShift(
                      new double[rows * size],
                      new double[rows * size],
                      new double[rows],
                      new double[rows]))
              : Optional.empty();
    }

    void read(int row) {
      pass.set(policy, row);
      logProbabilities[row] = policy.logProbability(taken, row * size);
      shift.ifPresent(into -> readGaussian(row, into));
    }

    private void readGaussian(int row, GaussianShift into) {
      policy.store(present, 0);
      int before = row * present.length;
      for (int i = 0; i < size; i++) {
        double sigma = present[size + i];
        double moved = (collecting[before + i] - present[i]) / sigma;
        int place = row * size + i;
        into.distances()[place] = Math.abs(taken[place] - present[i]) / sigma;
        into.sigmas()[place] = sigma;
        into.meanTerms()[row] += 0.5 * moved * moved;
      }
      into.varianceTerms()[row] = policy.divergenceFrom(collecting, before) - into.meanTerms()[row];
    }
  }

  private static RolloutPredictions joined(List<RolloutPredictions> parts) {
    Optional<GaussianShift> shift =
        parts
            .get(0)
            .shift()
            .map(
                any ->
                    new GaussianShift(
                        joined(parts, part -> part.shift().orElseThrow().distances()),
                        joined(parts, part -> part.shift().orElseThrow().sigmas()),
                        joined(parts, part -> part.shift().orElseThrow().meanTerms()),
                        joined(parts, part -> part.shift().orElseThrow().varianceTerms())));
    return new RolloutPredictions(
        parts.stream().flatMapToInt(part -> Arrays.stream(part.transitions())).toArray(),
        joined(parts, RolloutPredictions::values),
        joined(parts, RolloutPredictions::quantiles),
        joined(parts, RolloutPredictions::cvars),
        joined(parts, RolloutPredictions::gaps),
        joined(parts, RolloutPredictions::meanGaps),
        joined(parts, RolloutPredictions::irregularities),
        joined(parts, RolloutPredictions::logProbabilities),
        shift);
  }

  private static double[] joined(
      List<RolloutPredictions> parts, Function<RolloutPredictions, double[]> field) {
    return parts.stream().flatMapToDouble(part -> Arrays.stream(field.apply(part))).toArray();
  }
}
