package io.quantail.evidence;

import io.quantail.random.RandomStream;

/**
 * The stationary bootstrap: resamples made of blocks of random length, which preserve the
 * dependence between neighbours. The first index is uniform; then, with probability {@code 1/L}, a
 * new uniform one follows, else the next one, modulo n.
 *
 * <p>See: Politis, Romano, "The Stationary Bootstrap", 1994. Pinned by the vector {@code
 * bootstrap_of_the_tail}. Resample i depends on seed and i only.
 *
 * @param blockLength mean block length L, at least 1; 1 resamples independently
 * @param count number of resamples
 * @param seed of the random streams
 */
record StationaryBootstrap(double blockLength, int count, long seed) implements Resamples {
  /** Resamples of a judgement. */
  static final int RESAMPLES = 5_000;

  StationaryBootstrap {
    if (!(blockLength >= 1)) {
      throw new IllegalArgumentException("a block length must be at least 1, was " + blockLength);
    }
    if (count < 1) {
      throw new IllegalArgumentException("a bootstrap needs at least 1 resample, was " + count);
    }
  }

  /** Uniform numbers in [0, 1) of the steps of one resample, read in ascending order. */
  interface Uniforms {
    /** Decides whether a block begins. */
    double restart(int step);

    /** Decides where a block begins; read at its first step only. */
    double start(int step);
  }

  @Override
  public void fill(int resample, int[] indices) {
    fill(indices, blockLength, new Streams(seed, resample));
  }

  /** Writes the indices of one resample. */
  static void fill(int[] indices, double blockLength, Uniforms uniforms) {
    int n = indices.length;
    double probability = 1 / blockLength;
    int index = (int) (uniforms.start(0) * n);
    indices[0] = index;
    for (int step = 1; step < n; step++) {
      if (probability >= 1 || uniforms.restart(step) < probability) {
        index = (int) (uniforms.start(step) * n);
      } else {
        index = index + 1 == n ? 0 : index + 1;
      }
      indices[step] = index;
    }
  }

  private static final class Streams implements Uniforms {
    private final RandomStream restart;
    private final RandomStream start;

    Streams(long seed, int resample) {
      restart = RandomStream.of(seed, "bootstrap-restart", resample);
      start = RandomStream.of(seed, "bootstrap-start", resample);
    }

    @Override
    public double restart(int step) {
      return restart.nextDouble();
    }

    @Override
    public double start(int step) {
      return start.nextDouble();
    }
  }
}
