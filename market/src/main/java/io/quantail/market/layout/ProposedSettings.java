package io.quantail.market.layout;

import io.quantail.market.data.BarLength;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Settings of a training that fit the bars; what is not here keeps its default.
 *
 * @param files entries of {@code market.data.files}
 * @param layout how the files are written
 * @param timeIsOpen whether times are those of opens
 * @param barLength written length of a bar
 * @param gaps whether gaps are accepted
 * @param unit currency of the account
 * @param account money at the start
 * @param usualAccount money that the account would have in a market of any size
 * @param medianMoney smallest median of the money traded in a bar; 0 if volumes are not known or
 *     count ticks
 * @param costs fees and spread
 * @param shortWindows whether features have short windows, because there are few bars
 * @param episodeBars bars of an episode
 * @param steps steps of the training
 */
public record ProposedSettings(
    List<String> files,
    DetectedLayout layout,
    boolean timeIsOpen,
    String barLength,
    boolean gaps,
    QuoteUnit unit,
    double account,
    double usualAccount,
    double medianMoney,
    Costs costs,
    boolean shortWindows,
    int episodeBars,
    long steps) {
  /** Steps of one rollout: 16 environments, 256 steps each. */
  public static final int ROLLOUT = 16 * 256;

  /** Fewest bars from which training, validation and test have bars after the warm-up. */
  public static final int FEWEST_BARS = 150;

  private static final int FEW_BARS = 1000;
  private static final double TRAINING = 0.7;
  private static final double PARTICIPATION = 0.1;
  private static final int PASSES = 20;
  private static final long FEWEST_STEPS = 16L * ROLLOUT;
  private static final long MOST_STEPS = 128L * ROLLOUT;

  /** Usual fees and spreads, in 1/10000. */
  public enum Costs {
    /** An exchange for crypto-currencies. */
    CRYPTO(10, 5),
    /** A broker of liquid shares. */
    SHARES(1, 1);

    private final double takerBps;
    private final double halfSpreadBps;

    Costs(double takerBps, double halfSpreadBps) {
      this.takerBps = takerBps;
      this.halfSpreadBps = halfSpreadBps;
    }

    /** {@return the fee} */
    public double takerBps() {
      return takerBps;
    }

    /** {@return half the spread} */
    public double halfSpreadBps() {
      return halfSpreadBps;
    }
  }

  /**
   * Proposes settings.
   *
   * @param files entries of {@code market.data.files}
   * @param layout how the files are written
   * @param timeIsOpen whether times are those of opens
   * @param profiles what the bars of each file show
   * @param account money at the start that the user wants
   * @return settings that fit all files
   */
  public static ProposedSettings of(
      List<String> files,
      DetectedLayout layout,
      boolean timeIsOpen,
      List<BarsProfile> profiles,
      OptionalDouble account) {
    QuoteUnit unit = QuoteUnit.of(profiles.get(0).bars().symbol());
    double money =
        layout.volumeIsTicks()
            ? 0
            : profiles.stream().mapToDouble(BarsProfile::medianMoney).min().orElse(0);
    double usual = account.orElse(unit.account());
    int bars = profiles.stream().mapToInt(profile -> profile.bars().size()).min().orElse(0);
    int training = (int) (bars * TRAINING);
    boolean few = bars < FEW_BARS;
    long steps = (long) PASSES * training / ROLLOUT * ROLLOUT;
    return new ProposedSettings(
        List.copyOf(files),
        layout,
        timeIsOpen,
        BarLength.written(profiles.get(0).bars().barMillis()),
        profiles.stream().anyMatch(profile -> profile.gapCount() > 0),
        unit,
        account.isPresent() || money == 0 ? usual : Math.min(usual, largest(money)),
        usual,
        money,
        profiles.get(0).hasSessions() ? Costs.SHARES : Costs.CRYPTO,
        few,
        Math.max(16, Math.min(256, Integer.highestOneBit(Math.max(1, training / 4)))),
        Math.max(FEWEST_STEPS, Math.min(MOST_STEPS, steps)));
  }

  /** The largest power of ten that a tenth of the money of a bar can buy. */
  private static double largest(double medianMoney) {
    return Math.pow(10, Math.floor(Math.log10(PARTICIPATION * medianMoney)));
  }

  /** {@return how many median bars the account is worth; 0 if volumes are not known} */
  public double accountInBars() {
    return medianMoney == 0 ? 0 : account / medianMoney;
  }

  /** {@return whether an order of the whole account exceeds a tenth of a median bar} */
  public boolean isTooLarge() {
    return accountInBars() > PARTICIPATION;
  }

  /** {@return whether a file has volumes, so that orders can be limited by them} */
  public boolean hasVolumes() {
    return medianMoney > 0;
  }
}
