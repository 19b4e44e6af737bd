package io.quantail.env;

import java.util.concurrent.CountDownLatch;

/**
 * A correct simulator whose every number can be told beforehand: a row shows a number of its seed
 * and the step count, pays ten times the count plus the action, and lasts 3 to 6 steps by its seed;
 * half of the episodes are truncated. The choice of the last step is forbidden.
 */
public class CountingSimulator implements BatchedEnvironment {
  private static final int CHOICES = 3;

  private final long[] seeds;
  private final int[] counts;
  private final int[] chosen;
  private final CountDownLatch ended = new CountDownLatch(1);

  public CountingSimulator(int count) {
    seeds = new long[count];
    counts = new int[count];
    chosen = new int[count];
  }

  @Override
  public int count() {
    return seeds.length;
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("draw", "count");
  }

  @Override
  public ActionSpace actionSpace() {
    return ActionSpace.discrete(CHOICES);
  }

  @Override
  public boolean masks() {
    return true;
  }

  public static float draw(long seed) {
    return (seed & 0xff) / 256f;
  }

  @Override
  public void reset(int row, long seed, BatchedStep rows) {
    seeds[row] = seed;
    counts[row] = 0;
    rows.observation(row, draw(seed), 0);
  }

  @Override
  public void step(float[] actions, BatchedStep rows) {
    for (int row = 0; row < seeds.length; row++) {
      counts[row]++;
      chosen[row] = (int) actions[row];
      rows.observation(row, draw(seeds[row]), counts[row]);
      rows.rewards()[row] = 10 * counts[row] + actions[row];
      if (counts[row] == 3 + (seeds[row] & 3)) {
        ((seeds[row] & 4) == 0 ? rows.terminated() : rows.truncated())[row] = true;
      }
      rows.masks()[row * CHOICES + chosen[row]] = false;
    }
  }

  /** Waits until the simulator is closed. */
  protected final void hang() {
    try {
      ended.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  public final boolean closed() {
    return ended.getCount() == 0;
  }

  @Override
  public void close() {
    ended.countDown();
  }
}
