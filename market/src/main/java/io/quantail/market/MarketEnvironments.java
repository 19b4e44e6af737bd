package io.quantail.market;

import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.market.split.SplitPart;
import io.quantail.market.trading.RangesEnvironment;
import io.quantail.market.trading.TradingEnvironment;
import io.quantail.market.trading.TrainingRange;
import java.util.List;
import java.util.OptionalInt;

/**
 * Environments in a part of a market; environment k trades the symbol that takes part there as
 * number k modulo their number.
 *
 * @param market to trade in
 * @param split bars to trade
 * @param mode how episodes divide the bars
 */
public record MarketEnvironments(Market market, SplitPart split, Mode mode)
    implements EnvironmentFactory {

  /** How episodes divide the bars. */
  public enum Mode {
    /** Episodes of {@code market.episode.bars} that start at random bars. */
    EPISODES,
    /** Episodes that cover all bars once. */
    PASSES
  }

  /**
   * Checks that every symbol that takes part has enough bars.
   *
   * @param market market to trade in
   * @param split part of each symbol's bars to trade on
   * @param mode how episodes divide the bars
   * @throws io.quantail.market.data.DataException if a symbol has too few bars
   */
  public MarketEnvironments {
    // Refuses too few bars before training instead of when environments are created.
    for (int index = 0; index < different(market, split, mode); index++) {
      create(market, split, mode, index);
    }
  }

  /**
   * Creates the environments of a training: episodes that start at random training bars.
   *
   * @param market market to trade in
   * @return environments on the training bars
   * @throws io.quantail.market.data.DataException if a symbol has too few training bars
   */
  public static MarketEnvironments training(Market market) {
    return new MarketEnvironments(market, SplitPart.TRAIN, Mode.EPISODES);
  }

  /**
   * Creates environments whose episodes are passes over a part of each symbol's bars.
   *
   * @param market market to trade in
   * @param split part of each symbol's bars to trade on
   * @return environments on that part
   * @throws io.quantail.market.data.DataException if a symbol has too few bars in that part
   */
  public static MarketEnvironments passes(Market market, SplitPart split) {
    return new MarketEnvironments(market, split, Mode.PASSES);
  }

  @Override
  public Environment create(int index) {
    return create(market, split, mode, index % different(market, split, mode));
  }

  /** The number of environments that differ by more than the random stream. */
  private static int different(Market market, SplitPart split, Mode mode) {
    return mode == Mode.EPISODES ? trained(market).size() : market.passes(split).size();
  }

  /** Indices of the symbols that have training bars. */
  private static List<Integer> trained(Market market) {
    return market.training().stream().map(TrainingRange::symbol).distinct().toList();
  }

  private static Environment create(Market market, SplitPart split, Mode mode, int index) {
    if (mode == Mode.PASSES) {
      return market.passes(split).get(index).environment();
    }
    int symbol = trained(market).get(index);
    List<TrainingRange> ranges =
        market.training().stream().filter(range -> range.symbol() == symbol).toList();
    return market.folds().get(symbol).purged()
        ? new RangesEnvironment(ranges, market.rules())
        : TradingEnvironment.training(
            ranges.get(0).instrument(), market.rules(), ranges.get(0).range());
  }

  @Override
  public String dataFingerprint() {
    return String.join(" ", market.fingerprints());
  }

  /** Passes over the validation bars: the test bars are for the final evaluation. */
  @Override
  public EnvironmentFactory heldOut() {
    return passes(market, SplitPart.VALIDATION);
  }

  @Override
  public OptionalInt differentEpisodes() {
    return mode == Mode.PASSES
        ? OptionalInt.of(different(market, split, mode))
        : OptionalInt.empty();
  }

  /** {@code market.episode.bars} in training. */
  @Override
  public OptionalInt longestEpisode() {
    return mode == Mode.EPISODES
        ? OptionalInt.of(market.rules().episode().bars())
        : OptionalInt.empty();
  }
}
