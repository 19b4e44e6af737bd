package io.quantail.train;

/** Measures the duration of the phases of an iteration. */
final class Stopwatch {
  private static final double SECONDS_PER_NANO = 1e-9;

  private final long start = System.nanoTime();
  private long lap = start;

  /** Seconds since the last lap, or the start. */
  double lap() {
    long now = System.nanoTime();
    double seconds = (now - lap) * SECONDS_PER_NANO;
    lap = now;
    return seconds;
  }

  /** Seconds since the start. */
  double total() {
    return (System.nanoTime() - start) * SECONDS_PER_NANO;
  }
}
