package io.quantail.market.trading;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.market.data.DataException;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Environment of training on several ranges of a symbol's bars. Each episode lies inside one range;
 * every bar at which an episode can start has the same probability. Ranges that are too short for
 * the warm-up and an episode are not used. Tested by {@code PurgedMarketTest}.
 */
public final class RangesEnvironment implements Environment {
  private final List<TradingEnvironment> ranges;
  private final int[] starts;
  private int current;

  /**
   * An environment on those of the given ranges that are long enough.
   *
   * @param training ranges of one symbol
   * @throws DataException if all ranges are too short
   */
  public RangesEnvironment(List<TrainingRange> training, TradingRules rules) {
    List<TrainingRange> usable =
        training.stream().filter(range -> range.starts(rules) > 0).toList();
    if (usable.isEmpty()) {
      throw new DataException(tooShort(training, rules));
    }
    this.ranges =
        usable.stream()
            .map(one -> TradingEnvironment.training(one.instrument(), rules, one.range()))
            .toList();
    this.starts = usable.stream().mapToInt(range -> range.starts(rules)).toArray();
  }

  private static String tooShort(List<TrainingRange> training, TradingRules rules) {
    Instrument instrument = training.get(0).instrument();
    int longest = training.stream().mapToInt(one -> one.range().size()).max().orElseThrow();
    return String.format(
            Locale.ROOT,
            "%s has no training range with the bars of a warm-up and an episode, %d + %d: the longest",
            instrument.symbol(),
            instrument.features().firstBar(),
            rules.episode().bars() + 1)
        + String.format(
            Locale.ROOT,
            " of %d has %d bars; use fewer groups, more bars, or a smaller market.episode.bars",
            training.size(),
            longest);
  }

  @Override
  public ObservationSpace observationSpace() {
    return ranges.get(0).observationSpace();
  }

  @Override
  public ActionSpace actionSpace() {
    return ranges.get(0).actionSpace();
  }

  @Override
  public float[] reset(RandomStream random) {
    int start = random.nextInt(Arrays.stream(starts).sum());
    current = 0;
    while (start >= starts[current]) {
      start -= starts[current++];
    }
    return ranges.get(current).reset(random);
  }

  @Override
  public Step step(Action action) {
    return ranges.get(current).step(action);
  }

  /** The environment of the current episode. */
  public TradingEnvironment episode() {
    return ranges.get(current);
  }

  @Override
  public double[] snapshot() {
    double[] episode = ranges.get(current).snapshot();
    double[] state = new double[episode.length + 1];
    System.arraycopy(episode, 0, state, 0, episode.length);
    state[episode.length] = current;
    return state;
  }

  @Override
  public void restore(double[] state, RandomStream random) {
    int range = (int) state[state.length - 1];
    if (range < 0 || range >= ranges.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a snapshot must name one of %d training ranges, named %d",
              ranges.size(),
              range));
    }
    current = range;
    ranges.get(current).restore(Arrays.copyOf(state, state.length - 1), random);
  }
}
