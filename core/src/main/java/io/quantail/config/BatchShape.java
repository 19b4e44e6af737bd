package io.quantail.config;

/**
 * The rules that make a rollout cut evenly into windows, batches and microbatches.
 *
 * <p>Uneven cuts would weight some transitions more than others, so they are refused instead of
 * padded. Each message proposes the largest value that is not above the given one and works, or the
 * smallest that works. {@code BatchShapeTest} checks that following the proposals always ends in an
 * accepted configuration.
 */
final class BatchShape {
  private BatchShape() {}

  static void check(int steps, int environments, PpoConfig ppo) {
    int window = ppo.sequenceLength();
    if (steps % window != 0) {
      throw new ConfigException(
          "ppo.sequenceLength must divide rollout.steps (%d), was %d; %d would work"
              .formatted(steps, window, divisorUpTo(steps, window)));
    }
    checkBatch(steps, environments, ppo);
    int sequences = ppo.batchSize() / window;
    if (ppo.microbatches() > sequences) {
      throw new ConfigException(
          ("ppo.microbatches must be at most ppo.batchSize / ppo.sequenceLength (%d / %d), was %d;"
                  + " %d would work")
              .formatted(ppo.batchSize(), window, ppo.microbatches(), sequences));
    }
  }

  private static void checkBatch(int steps, int environments, PpoConfig ppo) {
    long transitions = (long) steps * environments;
    int batch = ppo.batchSize();
    int window = ppo.sequenceLength();
    if (batch % window != 0) {
      throw new ConfigException(
          "ppo.batchSize must be a multiple of ppo.sequenceLength (%d), was %d; %d would work"
              .formatted(window, batch, workingBatch(transitions, batch, window)));
    }
    if (transitions % batch != 0) {
      throw new ConfigException(
          ("ppo.batchSize must divide rollout.steps * environment.count (%d * %d), was %d;"
                  + " %d would work")
              .formatted(steps, environments, batch, workingBatch(transitions, batch, window)));
    }
  }

  private static int divisorUpTo(int number, int limit) {
    int divisor = Math.min(number, limit);
    while (number % divisor != 0) {
      divisor--;
    }
    return divisor;
  }

  /** One window always works, because the window divides the steps of each environment. */
  private static long workingBatch(long transitions, int batch, int window) {
    long candidate = Math.max(window, Math.min(transitions, batch) / window * window);
    while (transitions % candidate != 0) {
      candidate -= window;
    }
    return candidate;
  }
}
