package io.quantail.audit;

import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.EnvironmentFactory;
import io.quantail.env.EnvironmentWrapper;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Records every value an environment returns, every action it is given, and its masks. */
final class RecordingEnvironment extends EnvironmentWrapper {
  private final List<Step> steps = new ArrayList<>();
  private final List<float[]> actions = new ArrayList<>();
  private final List<boolean[]> masks = new ArrayList<>();
  private final List<float[]> starts = new ArrayList<>();
  private boolean[] mask = {}; // of the present observation

  RecordingEnvironment(Environment environment) {
    super(environment);
  }

  /** A factory whose environments are recorded in a list. */
  static EnvironmentFactory recording(
      EnvironmentFactory factory, List<RecordingEnvironment> recorded) {
    return index -> {
      RecordingEnvironment witness = new RecordingEnvironment(factory.create(index));
      recorded.add(witness);
      return witness;
    };
  }

  /** All returned steps, with copies of their observations. */
  List<Step> steps() {
    return steps;
  }

  List<float[]> actions() {
    return actions;
  }

  /** The choices that were allowed when each action was given. */
  List<boolean[]> masks() {
    return masks;
  }

  /** First observations of all episodes. */
  List<float[]> starts() {
    return starts;
  }

  @Override
  public float[] reset(RandomStream random) {
    float[] observation = environment.reset(random);
    starts.add(observation.clone());
    ask();
    return observation;
  }

  @Override
  public Step step(Action action) {
    Step step = environment.step(action);
    actions.add(action.toArray());
    masks.add(mask);
    steps.add(step.withObservation(step.observation().clone()));
    if (!step.done()) {
      ask();
    }
    return step;
  }

  @Override
  public void restore(double[] state, RandomStream random) {
    environment.restore(state, random);
    ask();
  }

  private void ask() {
    mask = new boolean[actionSpace().maskSize()];
    Arrays.fill(mask, true);
    environment.allowed(mask);
  }
}
