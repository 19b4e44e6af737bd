package io.quantail.audit.reference;

import io.quantail.config.RiskConfig;
import io.quantail.rollout.Gae;
import io.quantail.state.StateMap;
import io.quantail.value.ReturnScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reference implementation of the CVaR limit: its measurement, its multiplier and its costs. */
public final class ReferenceRisk {
  private final RiskConfig config;
  private double integral;
  private long goodUpdates;
  private @Nullable Double average;
  private @Nullable Double explained;
  private final List<Double> episodes = new ArrayList<>(); // totals, oldest first

  public ReferenceRisk(RiskConfig config) {
    this.config = config;
  }

  /**
   * How strongly the CVaR limit acts in one update.
   *
   * @param weight of the predicted CVaR in the loss
   * @param multiplier of the violation, in the loss or in the advantages
   * @param costs reduction of each step's advantage
   */
  public record Decision(double weight, double multiplier, double[] costs) {}

  /** Restores the state of a saved controller. */
  public void load(StateMap state) {
    integral = state.doubleValue("integral");
    goodUpdates = state.longValue("goodUpdates");
    average = first(state.doubles("average"));
    explained = first(state.doubles("explained"));
    if (state.contains("episodes")) { // not in snapshots of older builds
      Arrays.stream(state.doubles("episodes")).forEach(episodes::add);
    }
  }

  private static @Nullable Double first(double[] values) {
    return values.length == 0 ? null : values[0];
  }

  /** The quantity of each step whose CVaR is limited; NaN for steps of unfinished episodes. */
  public double[] perStep(Gae.Input collected, double[] returns, double[] running) {
    return switch (config.measure()) {
      case REWARDS -> collected.rewards();
      case RETURNS -> returns;
      case EPISODES -> episodeTotals(collected, running);
    };
  }

  /** Environment by environment: the total of each step's episode. The totals join the window. */
  private double[] episodeTotals(Gae.Input collected, double[] running) {
    double[] totals = new double[collected.rewards().length];
    Arrays.fill(totals, Double.NaN);
    Map<Integer, Double> ended = new TreeMap<>(); // by last step
    for (int environment = 0; environment < collected.environments(); environment++) {
      int start = environment;
      double total = running[environment];
      for (int i = environment; i < totals.length; i += collected.environments()) {
        total += collected.rewards()[i];
        if (collected.terminated()[i] || collected.truncated()[i]) {
          for (int step = start; step <= i; step += collected.environments()) {
            totals[step] = total;
          }
          ended.put(i, total);
          start = i + collected.environments();
          total = 0;
        }
      }
    }
    episodes.addAll(ended.values());
    while (episodes.size() > Math.max(required(), ended.size())) {
      episodes.remove(0);
    }
    return totals;
  }

  private int required() {
    return (int) Math.ceil(20 / config.alpha());
  }

  /** The mean of the {@code ceil(alpha n)} lowest samples after winsorising both tails. */
  public static double empirical(double[] samples, double alpha, double winsor) {
    double low = ReferenceMath.percentile(samples, winsor);
    double high = ReferenceMath.percentile(samples, 1 - winsor);
    double[] limited =
        Arrays.stream(samples).map(x -> ReferenceMath.clip(x, low, high)).sorted().toArray();
    int tail = Math.max(1, (int) Math.ceil(alpha * samples.length));
    return ReferenceMath.mean(Arrays.copyOf(limited, tail));
  }

  /**
   * Processes a rollout.
   *
   * @param returns samples of the return of each transition, equally many of each
   * @param running reward sum of each environment's episode before it
   * @param progress fraction of the run that is done
   */
  public Decision decide(
      Gae.Input collected, double[] returns, double[] running, ReturnScale scale, double progress) {
    double[] perStep = perStep(collected, returns, running);
    double[] samples = Arrays.stream(perStep).filter(x -> !Double.isNaN(x)).toArray();
    double[] none = new double[collected.rewards().length];
    if (config.measure() == RiskConfig.Measure.EPISODES) {
      if (samples.length == 0 || episodes.size() < required()) {
        return new Decision(0, 0, none);
      }
      samples = episodes.stream().mapToDouble(Double::doubleValue).toArray();
    }
    double cvar = empirical(samples, config.alpha(), config.winsor());
    average =
        average == null ? cvar : config.smoothing() * average + (1 - config.smoothing()) * cvar;
    return switch (config.mode()) {
      case OFF -> new Decision(0, 0, none);
      case PENALTY -> new Decision(penaltyWeight(cvar, progress), 0, none);
      case CONSTRAINT -> {
        integral = moved(integral, config.multiplier().rate(), gapInUnits(average, scale));
        yield new Decision(0, integral, none);
      }
      case POLICY -> {
        double target =
            Objects.requireNonNull(config.limit()) + config.margin() * Math.abs(config.limit());
        double size = Math.max(Math.abs(target), Math.abs(average));
        double gap = size == 0 ? 0 : (target - average) / size;
        integral = moved(integral, config.multiplier().rate(), gap);
        double multiplier = moved(integral, config.multiplier().gain(), gap);
        yield new Decision(0, multiplier, costs(perStep, samples, multiplier, collected));
      }
    };
  }

  private double penaltyWeight(double cvar, double progress) {
    double threshold = config.penalty().thresholdExplainedVariance();
    goodUpdates = explained != null && explained >= threshold ? goodUpdates + 1 : 0;
    if (cvar >= Objects.requireNonNull(config.limit()) || goodUpdates == 0) {
      return 0;
    }
    double ramp = Math.min(1, goodUpdates / (double) config.penalty().rampUpdates());
    double weight = ReferenceSchedules.value(config.penalty().weight(), progress);
    return Math.min(weight * ramp, config.penalty().weightCap());
  }

  private double gapInUnits(double cvar, ReturnScale scale) {
    return (Objects.requireNonNull(config.limit()) - cvar) / scale.std();
  }

  private double moved(double multiplier, double rate, double gap) {
    return ReferenceMath.clip(multiplier + rate * gap, 0, config.multiplier().max());
  }

  /** Processes the explained variance after an update. */
  public void observe(double explainedVariance) {
    explained = explainedVariance;
  }

  private double[] costs(
      double[] perStep, double[] samples, double multiplier, Gae.Input collected) {
    double worst = ReferenceMath.percentile(samples, config.alpha());
    double[] costs = new double[perStep.length];
    double sum = 0;
    int charged = 0;
    for (int i = 0; i < costs.length; i++) {
      if (!Double.isNaN(perStep[i])) {
        costs[i] = perStep[i] < worst ? (worst - perStep[i]) / config.alpha() : 0;
        sum += costs[i];
        charged++;
      }
    }
    double mean = sum / charged;
    Arrays.setAll(costs, i -> Double.isNaN(perStep[i]) ? 0 : costs[i] - mean);
    int each = costs.length / collected.rewards().length;
    double[] caused =
        switch (config.measure()) {
          case REWARDS -> ReferenceAdvantages.traced(collected, at -> costs[at]);
          case RETURNS ->
              IntStream.range(0, costs.length / each)
                  .mapToDouble(
                      at ->
                          ReferenceMath.mean(Arrays.copyOfRange(costs, at * each, (at + 1) * each)))
                  .toArray();
          case EPISODES -> costs;
        };
    return Arrays.stream(caused).map(cost -> multiplier * cost).toArray();
  }

  /** The term of the loss for a mean predicted CVaR in normalised units. */
  public double term(double cvar, Decision decision, ReturnScale scale) {
    if (config.mode() != RiskConfig.Mode.PENALTY && config.mode() != RiskConfig.Mode.CONSTRAINT) {
      return 0;
    }
    double cap = config.cap() == null ? Double.POSITIVE_INFINITY : config.cap();
    double limit = (Objects.requireNonNull(config.limit()) - scale.mean()) / scale.std();
    double penalty = ReferenceMath.clip(-decision.weight * cvar, -cap, cap);
    double constraint = ReferenceMath.clip(decision.multiplier * (limit - cvar), 0, cap);
    return penalty + constraint;
  }
}
