package io.quantail.market;

import io.quantail.env.EnvironmentFactory;
import io.quantail.market.data.Bars;
import io.quantail.market.execution.ExecutionSettings;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Compares the money of an account with that of its market: prices in bitcoin make an account of
 * 10,000 an account of 10,000 bitcoin.
 */
public final class AccountSize {
  private static final double MOST_BARS = 10;

  private AccountSize() {}

  /**
   * Describes accounts that are larger than their market.
   *
   * @param environments of training
   * @return one line for each symbol whose median bar has less than a tenth of the account's money;
   *     none outside of markets and for symbols without volumes
   */
  public static List<String> warnings(EnvironmentFactory environments) {
    if (!(environments instanceof MarketEnvironments episodes)) {
      return List.of();
    }
    ExecutionSettings execution = episodes.market().config().execution();
    return episodes.market().bars().stream()
        .map(bars -> warning(bars, execution))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<String> warning(Bars bars, ExecutionSettings execution) {
    double[] money =
        IntStream.range(0, bars.size()).mapToDouble(bars::quoteVolume).sorted().toArray();
    double median = money[money.length / 2];
    double cash = execution.initialCash();
    if (!(median > 0) || cash <= MOST_BARS * median) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "market.execution.initialCash of %,.4g is %,.0f times the money of a median bar of %s"
                + " (%,.4g, in the currency of its prices), and %s; set a smaller account, or what"
                + " is right for this currency",
            cash,
            cash / median,
            bars.symbol(),
            median,
            execution.maxParticipation() == null
                ? "orders of any size are filled, because maxParticipation is null"
                : "orders are cut to maxParticipation of the volume"));
  }
}
