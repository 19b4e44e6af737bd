package io.quantail.rollout;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.ObservationSpace;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.List;

/** Plays given episodes one after the other, from the first again after the last. */
final class ScriptedEnvironment implements Environment {

  /**
   * @param observations one number a step; the last one is seen when the episode has ended
   * @param truncated whether the end is a cut
   */
  record Script(float[] observations, boolean truncated) {}

  private final List<Script> scripts;
  private int episode;
  private int position;

  /** Begins with the given episode. */
  ScriptedEnvironment(List<Script> scripts, int first) {
    this.scripts = scripts;
    this.episode = first - 1;
  }

  @Override
  public ObservationSpace observationSpace() {
    return ObservationSpace.of(1);
  }

  @Override
  public ActionSpace actionSpace() {
    return new ActionSpace.Discrete(2);
  }

  @Override
  public float[] reset(RandomStream random) {
    episode = (episode + 1) % scripts.size();
    position = 0;
    return observation();
  }

  @Override
  public Step step(Action action) {
    position++;
    Script script = scripts.get(episode);
    boolean end = position == script.observations().length - 1;
    return Step.of(observation())
        .reward((float) (position - action.index()))
        .terminated(end && !script.truncated())
        .truncated(end && script.truncated());
  }

  private float[] observation() {
    return new float[] {scripts.get(episode).observations()[position]};
  }
}
