package io.quantail.calibration;

/**
 * The discounted reward sum of every transition, as far as its rewards are known: {@code G[t] =
 * r[t] + gamma G[t + 1]} up to the end of its episode or the end of the data.
 *
 * <p>A return may be compared with its prediction if the episode terminates, or if at least {@link
 * #horizon} rewards of the episode are known, the transition's own included; what is still open
 * counts as 0. A truncated episode leaves its future open.
 */
public final class RealisedReturns {
  /** Fraction of the discount weight that may be open when a return counts. */
  public static final double OPEN_END = 0.05;

  private enum End {
    TERMINATED,
    TRUNCATED,
    OPEN
  }

  private final double[] sums;
  private final int[] known;
  private final End[] ends;

  private RealisedReturns(double[] sums, int[] known, End[] ends) {
    this.sums = sums;
    this.known = known;
    this.ends = ends;
  }

  /**
   * Sums the rewards backwards.
   *
   * @param environments environments side by side; transition (t, e) is at {@code t * environments
   *     + e}
   * @param rewards of every transition
   * @param terminated whether the episode ended with the transition
   * @param truncated whether it was cut off after the transition; one that is both is terminated
   * @param gamma discount
   */
  public static RealisedReturns of(
      int environments, double[] rewards, boolean[] terminated, boolean[] truncated, double gamma) {
    int count = rewards.length;
    double[] sums = new double[count];
    int[] known = new int[count];
    End[] ends = new End[count];
    for (int i = count - 1; i >= 0; i--) {
      int next = i + environments;
      boolean continues = !terminated[i] && !truncated[i] && next < count;
      sums[i] = continues ? rewards[i] + gamma * sums[next] : rewards[i];
      known[i] = continues ? known[next] + 1 : 1;
      ends[i] = continues ? ends[next] : end(terminated[i], truncated[i]);
    }
    return new RealisedReturns(sums, known, ends);
  }

  private static End end(boolean terminated, boolean truncated) {
    return terminated ? End.TERMINATED : truncated ? End.TRUNCATED : End.OPEN;
  }

  /**
   * The number of rewards after which at most {@value #OPEN_END} of the discount weight is open:
   * {@code ceil(ln 0.05 / ln gamma)}, at least 1; {@link Long#MAX_VALUE} for gamma 1, where only
   * termination closes a return.
   */
  public static long horizon(double gamma) {
    return gamma == 1
        ? Long.MAX_VALUE
        : Math.max(1, (long) Math.ceil(StrictMath.log(OPEN_END) / StrictMath.log(gamma)));
  }

  /** The discounted sum of the known rewards. */
  public double sum(int transition) {
    return sums[transition];
  }

  /** The number of known rewards, the transition's own included. */
  public int known(int transition) {
    return known[transition];
  }

  /** Whether the episode of the transition terminates within the data. */
  public boolean terminates(int transition) {
    return ends[transition] == End.TERMINATED;
  }

  /** Whether the episode of the transition goes on at the end of the data. */
  public boolean isOpen(int transition) {
    return ends[transition] == End.OPEN;
  }

  /** Whether the return may be compared with its prediction. */
  public boolean counts(int transition, long horizon) {
    return terminates(transition) || known[transition] >= horizon;
  }
}
