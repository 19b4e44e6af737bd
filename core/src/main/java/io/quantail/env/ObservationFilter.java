package io.quantail.env;

import io.quantail.random.RandomStream;
import java.util.Locale;

/**
 * Hides some components of an environment's observations, for example velocities, so that the task
 * needs a recurrent policy.
 */
public final class ObservationFilter extends EnvironmentWrapper {
  private final int[] components;

  /**
   * Selects components of the observations of an environment.
   *
   * @param environment the wrapped environment
   * @param components indices of the remaining components, in their new order
   */
  public ObservationFilter(Environment environment, int... components) {
    super(environment);
    if (components.length == 0) {
      throw new IllegalArgumentException("at least one component must remain, was given none");
    }
    for (int component : components) {
      if (component < 0 || component >= environment.observationSpace().size()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "component must be from 0 to %d, was %d",
                environment.observationSpace().size() - 1,
                component));
      }
    }
    this.components = components.clone();
  }

  @Override
  public ObservationSpace observationSpace() {
    return environment.observationSpace().select(components);
  }

  @Override
  public float[] reset(RandomStream random) {
    return select(environment.reset(random));
  }

  @Override
  public Step step(Action action) {
    Step step = environment.step(action);
    return step.withObservation(select(step.observation()));
  }

  private float[] select(float[] observation) {
    float[] selected = new float[components.length];
    for (int i = 0; i < components.length; i++) {
      selected[i] = observation[components[i]];
    }
    return selected;
  }
}
