package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;

/**
 * Recall of one bit after a delay: needs a recurrent state that is written once and kept.
 *
 * <p>Observation: the cue (-1 or +1, equally likely, on the first step only, else 0) and a flag
 * that is 1 on the last step, when the cue must be recalled. Between them are {@code delay} blank
 * steps. The last action earns 1 if it is 0 for cue -1 or 1 for cue +1; all others are ignored.
 * Return: at best 1; 0.5 in expectation for every policy without recurrent state. {@code
 * SanityTasksTest} pins both.
 */
final class DelayedCue implements Environment {
  /** Blank steps of the task registered as {@code DelayedCue-v0}. */
  public static final int DEFAULT_DELAY = 10;

  private static final ActionSpace.Discrete ACTIONS = new ActionSpace.Discrete(2);

  private final int delay;
  private int cue;
  private int elapsed;

  /**
   * @param delay blank steps between cue and recall, at least 0
   */
  public DelayedCue(int delay) {
    if (delay < 0) {
      throw new IllegalArgumentException("delay must be at least 0 steps, was " + delay);
    }
    this.delay = delay;
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.named("cue", "recall");
  }

  @Override
  public ActionSpace actionSpace() {
    return ACTIONS;
  }

  @Override
  public float[] reset(RandomStream random) {
    cue = random.nextInt(2);
    elapsed = 0;
    return new float[] {cue == 1 ? 1 : -1, 0};
  }

  @Override
  public Step step(Action action) {
    int answer = action.index();
    elapsed++;
    if (elapsed == delay + 2) {
      return Step.of(new float[2]).reward(answer == cue ? 1 : 0).terminated();
    }
    return Step.of(0, elapsed == delay + 1 ? 1 : 0);
  }

  @Override
  public double[] snapshot() {
    return TaskSnapshot.of(cue, elapsed);
  }

  @Override
  public void restore(double[] snapshot, RandomStream random) {
    double[] state = TaskSnapshot.state(snapshot, 2, this);
    cue = (int) state[0];
    elapsed = (int) state[1];
  }
}
