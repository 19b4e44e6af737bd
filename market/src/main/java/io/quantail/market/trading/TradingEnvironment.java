package io.quantail.market.trading;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.env.StepInfo;
import io.quantail.io.WorkingDirectory;
import io.quantail.market.data.DataException;
import io.quantail.market.execution.TradingAccount;
import io.quantail.market.feature.VolatilityEstimators;
import io.quantail.market.limits.LimitCounts;
import io.quantail.market.limits.TradingLimiter;
import io.quantail.market.limits.TradingLimits;
import io.quantail.market.split.BarRange;
import io.quantail.random.RandomStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * Environment of an account in one symbol, for training, evaluation and baselines alike.
 *
 * <p>One step: observation at the close of t → action → weight, in {@link RiskUnits} if configured
 * → risk limits → fill at the open of t+1 → mark at the close of t+1 → reward ln(E_{t+1} / E_t),
 * net of all costs → observation at the close of t+1. In training an episode starts at a random bar
 * and is truncated after a fixed number of bars; an evaluation is one pass over a range. Ruin and
 * the configured drawdown terminate an episode.
 *
 * <p>{@code TradingEnvironmentTest} tests timing, rewards and flags, {@code LookAheadCheckTest} the
 * absence of look-ahead.
 */
public final class TradingEnvironment implements Environment {
  /** Smallest ratio of equity after a step to equity before it; keeps the reward finite. */
  private static final double NOTHING = 1e-6;

  /** Name of the traded money over the equity before the step, in {@link Step#info}. */
  public static final String TURNOVER = "turnover";

  /** Name of the weight at the close after the step. */
  public static final String EXPOSURE = "exposure";

  /** Name of the ordered weight, see {@link TradingAccount#ordered}. */
  public static final String ORDERED_WEIGHT = "orderedWeight";

  /** Name of the EWMA volatility at the close of the decision. */
  public static final String VOLATILITY = "volatility";

  /** Names of the values that a step reports besides its reward. */
  private static final List<String> INFO =
      List.of(
          "grossReturn",
          "feeFraction",
          "slippageFraction",
          "borrowFraction",
          Step.REWARD_COSTS,
          TURNOVER,
          EXPOSURE,
          "drawdown",
          ORDERED_WEIGHT,
          VOLATILITY);

  private final Instrument instrument;
  private final TradingRules rules;
  private final BarRange range;
  private final boolean randomStart;
  private final int horizon;
  private final TradingAccount execution;
  private final TradingLimiter guard;
  private final AccountFeatures view;
  private final float[] observation;

  private int bar;
  private int steps;
  private boolean running;
  private double peak;
  private double target;
  private double ordered;

  private TradingEnvironment(
      Instrument instrument, TradingRules rules, BarRange range, boolean training, int fewest) {
    this.instrument = instrument;
    this.rules = rules;
    this.randomStart = training;
    int first = Math.max(range.from(), firstBar(instrument, rules));
    this.horizon = training ? rules.episode().bars() : range.to() - 1 - first;
    if (horizon < fewest || range.to() - 1 - first < horizon) {
      throw new DataException(
          String.format(
              Locale.ROOT,
              "%s has %d bars to trade in (%d of %d to %d are for the warm-up), %s needs %d; use more bars",
              instrument.symbol(),
              Math.max(0, range.to() - first),
              first - range.from(),
              range.from(),
              range.to(),
              training ? "an episode (market.episode.bars + 1)" : purpose(fewest),
              Math.max(fewest, horizon) + 1));
    }
    this.range = new BarRange(first, range.to());
    this.execution = new TradingAccount(instrument.prices(), rules.execution());
    boolean limited = !training || rules.risk().inTraining();
    TradingLimits limits = limited ? rules.risk() : TradingLimits.defaults();
    this.guard = new TradingLimiter(limits, training ? () -> false : killFile(rules.risk()));
    this.view = new AccountFeatures(instrument, execution);
    this.observation = new float[observationSize(instrument)];
  }

  /** The first bar whose features are known, and its volatility if the weight depends on it. */
  private static int firstBar(Instrument instrument, TradingRules rules) {
    int features = instrument.features().firstBar();
    return rules.units().active()
        ? Math.max(features, VolatilityEstimators.FIRST_EWMA_BAR)
        : features;
  }

  /**
   * The number of bars of a range at which an episode of training can start; 0 or less if the range
   * is shorter than the warm-up and an episode.
   */
  public static int starts(Instrument instrument, TradingRules rules, BarRange range) {
    int first = Math.max(range.from(), firstBar(instrument, rules));
    return range.to() - first - rules.episode().bars();
  }

  /** An environment with episodes of fixed length that start at random bars of a range. */
  public static TradingEnvironment training(
      Instrument instrument, TradingRules rules, BarRange range) {
    return new TradingEnvironment(instrument, rules, range, true, 1);
  }

  /** An environment with one episode over a whole range, from its first bar after the warm-up. */
  public static TradingEnvironment pass(Instrument instrument, TradingRules rules, BarRange range) {
    return new TradingEnvironment(instrument, rules, range, false, 1);
  }

  /**
   * A pass that ends with a decision at the close of the last bar, see {@link #decide}. One bar is
   * enough.
   */
  public static TradingEnvironment replay(
      Instrument instrument, TradingRules rules, BarRange range) {
    return new TradingEnvironment(instrument, rules, range, false, 0);
  }

  private static String purpose(int fewest) {
    return fewest == 0 ? "a decision" : "a pass";
  }

  private static BooleanSupplier killFile(TradingLimits limits) {
    if (limits.killFile().isEmpty()) {
      return () -> false;
    }
    Path file = Path.of(WorkingDirectory.resolve(limits.killFile()));
    return () -> Files.exists(file);
  }

  /** The number of values in an observation of an account in the given symbol. */
  public static int observationSize(Instrument instrument) {
    return instrument.features().width() + AccountFeatures.SIZE;
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(observationSize(instrument));
  }

  @Override
  public ActionSpace actionSpace() {
    return rules.actions().space();
  }

  @Override
  public float[] reset(RandomStream random) {
    int starts = range.size() - horizon;
    bar = range.from() + (randomStart ? random.nextInt(starts) : 0);
    steps = 0;
    running = true;
    target = 0;
    execution.open();
    peak = execution.equity();
    guard.open(execution.equity(), instrument.prices().time(bar));
    view.open();
    return observe();
  }

  @Override
  public Step step(Action action) {
    return trade(weight(action.toArray()));
  }

  /**
   * One step with a given weight instead of an action.
   *
   * @param weight target weight at the close of the current bar, before risk limits
   */
  public Step trade(double weight) {
    if (!running) {
      throw new IllegalStateException(
          "the trading environment has no running episode; call reset before step");
    }
    double before = execution.equity();
    target = limited(weight);
    ordered = execution.ordered(bar, target);
    execution.step(bar, target);
    bar++;
    steps++;
    double after = execution.equity();
    guard.traded(execution.traded() / before);
    peak = Math.max(peak, after);
    view.observe(before);

    boolean ruined = after <= rules.episode().ruin() * rules.execution().initialCash();
    boolean terminated = ruined || drawdown() >= rules.episode().maxDrawdown();
    boolean truncated = !terminated && steps == horizon;
    running = !terminated && !truncated;
    return Step.of(observe())
        .reward(reward(before, after))
        .terminated(terminated)
        .truncated(truncated)
        .info(info(before));
  }

  /** The reward ln(after / before) of a step, from the equity before and after it. */
  public static double reward(double before, double after) {
    return Math.log(Math.max(after, NOTHING * before) / before);
  }

  /**
   * The target weight of an action at the close of the current bar, after risk limits; nothing is
   * traded. {@link #step} calls it, so call it directly at the last bar only.
   */
  public double decide(float[] action) {
    return limited(weight(action));
  }

  /**
   * The weight of an action at the close of the current bar, before risk limits. It depends on the
   * volatility up to this close if actions are in {@link RiskUnits}.
   */
  public double weight(float[] action) {
    return rules.units().weight(rules.actions().weight(action), instrument.volatility()[bar]);
  }

  private double limited(double weight) {
    double exposure = execution.exposure(bar);
    long time = instrument.prices().time(bar);
    return guard.limit(time, execution.equity(), exposure, weight);
  }

  /**
   * Components of the step's return, as fractions of the equity before it: {@code gross − costs} is
   * the simple return. Then the account after it, and the decision before it.
   */
  private StepInfo info(double before) {
    return new StepInfo(
        INFO,
        execution.grossProfit() / before,
        execution.fee() / before,
        execution.slippage() / before,
        execution.borrow() / before,
        execution.costs() / before,
        execution.traded() / before,
        execution.exposure(bar),
        drawdown(),
        ordered,
        instrument.volatility()[bar - 1]);
  }

  private float[] observe() {
    instrument.features().copyRow(bar, observation);
    view.write(observation, instrument.features().width(), bar, target, drawdown());
    return observation;
  }

  private double drawdown() {
    return 1 - execution.equity() / peak;
  }

  /** The traded symbol. */
  public Instrument instrument() {
    return instrument;
  }

  /** Actions, costs, limits and episodes of the account. */
  public TradingRules rules() {
    return rules;
  }

  /** The range of bars without the warm-up. */
  public BarRange range() {
    return range;
  }

  /** The current bar: the account is marked at its close. */
  public int bar() {
    return bar;
  }

  /** The target weight of the last decision of a step, after risk limits. */
  public double target() {
    return target;
  }

  /** The weight that the last step ordered, see {@link TradingAccount#ordered}. */
  public double ordered() {
    return ordered;
  }

  /** The account; callers must not change it. */
  public TradingAccount account() {
    return execution;
  }

  /** The number of decisions that each limit changed. */
  public LimitCounts riskCounts() {
    return guard.counts();
  }

  @Override
  public double[] snapshot() {
    double[] state = new double[8 + AccountFeatures.STATE + TradingLimiter.stateSize()];
    state[0] = bar;
    state[1] = steps;
    state[2] = running ? 1 : 0;
    state[3] = peak;
    state[4] = target;
    state[5] = execution.cash();
    state[6] = execution.units();
    state[7] = execution.entryPrice();
    view.save(state, 8);
    guard.save(state, 8 + AccountFeatures.STATE);
    return state;
  }

  @Override
  public void restore(double[] state, RandomStream random) {
    int size = 8 + AccountFeatures.STATE + TradingLimiter.stateSize();
    if (state.length != size || !range.contains((int) state[0])) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a snapshot of an account in %s must have %d numbers and a bar of %s, had %d numbers",
              instrument.symbol(),
              size,
              range,
              state.length));
    }
    bar = (int) state[0];
    steps = (int) state[1];
    running = state[2] != 0;
    peak = state[3];
    target = state[4];
    execution.restore(state[5], state[6], state[7], bar);
    view.load(state, 8);
    guard.load(state, 8 + AccountFeatures.STATE);
  }
}
