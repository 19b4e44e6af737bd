package io.quantail.random;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A counter-based stream of random numbers, addressed by (seed, purpose, index).
 *
 * <p>Two streams with different addresses are independent of each other and of the order in which
 * they are created or read, so results do not depend on thread count or on which part of the
 * program ran first. The whole state is {@link #key()} and {@link #position()}.
 *
 * <p>The methods that are documented here give the same numbers on every JDK. The others come from
 * {@link RandomGenerator}, which may change them in another version.
 *
 * <p>See: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011
 * (Philox4x32-10). {@code RandomStreamTest} pins the published known answers.
 */
public final class RandomStream implements RandomGenerator {
  private static final int ROUNDS = 10;
  private static final int MULTIPLIER_0 = 0xD2511F53;
  private static final int MULTIPLIER_1 = 0xCD9E8D57;
  private static final int WEYL_0 = 0x9E3779B9;
  private static final int WEYL_1 = 0xBB67AE85;
  private static final double DOUBLE_UNIT = 0x1.0p-53;

  private final long key;
  private final long substream;
  private final int[] words = new int[4]; // of the cached block
  private long position;
  private long cachedBlock = -1;
  private long cachedLow;
  private long cachedHigh;

  private RandomStream(long key, long substream, long position) {
    this.key = key;
    this.substream = substream;
    this.position = position;
  }

  /**
   * The stream that belongs to one purpose of a run, for example {@code ("action", environment)}.
   */
  public static RandomStream of(long seed, String purpose, long index) {
    long key = mix(seed);
    for (int i = 0; i < purpose.length(); i++) {
      key = mix(key ^ purpose.charAt(i));
    }
    return new RandomStream(key, index, 0);
  }

  /** The streams 0 to {@code count - 1} of a purpose. */
  public static RandomStream[] array(long seed, String purpose, int count) {
    RandomStream[] streams = new RandomStream[count];
    Arrays.setAll(streams, index -> of(seed, purpose, index));
    return streams;
  }

  /** A stream with the given saved state. */
  public static RandomStream restore(long key, long substream, long position) {
    return new RandomStream(key, substream, position);
  }

  public long key() {
    return key;
  }

  public long substream() {
    return substream;
  }

  /** Number of 64-bit numbers drawn so far. */
  public long position() {
    return position;
  }

  /** The next 64 random bits. */
  @Override
  public long nextLong() {
    long block = position >>> 1;
    if (block != cachedBlock) {
      fill(block);
    }
    return (position++ & 1) == 0 ? cachedLow : cachedHigh;
  }

  /** Uniform in [0, 1). */
  @Override
  public double nextDouble() {
    return (nextLong() >>> 11) * DOUBLE_UNIT;
  }

  /** Fills an array with the next numbers, uniform in [0, 1), two at a time. */
  public void nextDoubles(double[] values) {
    int i = 0;
    if ((position & 1) == 1 && values.length > 0) {
      values[i++] = nextDouble();
    }
    for (; i + 1 < values.length; i += 2) {
      fill(position >>> 1);
      values[i] = (cachedLow >>> 11) * DOUBLE_UNIT;
      values[i + 1] = (cachedHigh >>> 11) * DOUBLE_UNIT;
      position += 2;
    }
    if (i < values.length) {
      values[i] = nextDouble();
    }
  }

  /** Uniform in [low, high). */
  @Override
  public double nextDouble(double low, double high) {
    return low + (high - low) * nextDouble();
  }

  /** Uniform in {0, ..., bound - 1}, without modulo bias. */
  @Override
  public int nextInt(int bound) {
    if (bound <= 0) {
      throw new IllegalArgumentException("bound must be positive, was " + bound);
    }
    long limit = (1L << 62) / bound * bound;
    long bits = nextLong() >>> 2;
    while (bits >= limit) {
      bits = nextLong() >>> 2;
    }
    return (int) (bits % bound);
  }

  /** Standard normal, by Box and Muller; consumes exactly two numbers of the stream. */
  @Override
  public double nextGaussian() {
    double radius = StrictMath.sqrt(-2.0 * StrictMath.log(1.0 - nextDouble()));
    return radius * StrictMath.cos(2.0 * Math.PI * nextDouble());
  }

  /** A uniformly random order of {0, ..., size - 1}. */
  public int[] permutation(int size) {
    int[] order = new int[size];
    for (int i = 0; i < size; i++) {
      int j = nextInt(i + 1);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  private void fill(long block) {
    philox((int) block, (int) (block >>> 32), substream, key, words);
    cachedLow = (words[0] & 0xFFFFFFFFL) | ((long) words[1] << 32);
    cachedHigh = (words[2] & 0xFFFFFFFFL) | ((long) words[3] << 32);
    cachedBlock = block;
  }

  static int[] philox(int counter0, int counter1, long counter23, long key) {
    int[] words = new int[4];
    philox(counter0, counter1, counter23, key, words);
    return words;
  }

  private static void philox(int counter0, int counter1, long counter23, long key, int[] words) {
    int c0 = counter0;
    int c1 = counter1;
    int c2 = (int) counter23;
    int c3 = (int) (counter23 >>> 32);
    int k0 = (int) key;
    int k1 = (int) (key >>> 32);
    for (int round = 0; round < ROUNDS; round++) {
      long product0 = (MULTIPLIER_0 & 0xFFFFFFFFL) * (c0 & 0xFFFFFFFFL);
      long product1 = (MULTIPLIER_1 & 0xFFFFFFFFL) * (c2 & 0xFFFFFFFFL);
      c0 = (int) (product1 >>> 32) ^ c1 ^ k0;
      c1 = (int) product1;
      c2 = (int) (product0 >>> 32) ^ c3 ^ k1;
      c3 = (int) product0;
      k0 += WEYL_0;
      k1 += WEYL_1;
    }
    words[0] = c0;
    words[1] = c1;
    words[2] = c2;
    words[3] = c3;
  }

  /** One step of SplitMix64 (Steele, Lea, Flood 2014), used only to distribute seeds over keys. */
  private static long mix(long value) {
    return finish(value + 0x9E3779B97F4A7C15L);
  }

  /** The finaliser of SplitMix64. */
  static long finish(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
