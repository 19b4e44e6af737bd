package io.quantail.audit;

import io.quantail.env.Environment;
import io.quantail.env.EnvironmentWrapper;
import io.quantail.env.Step;
import java.util.ArrayList;
import java.util.List;

/** An environment that writes down what it answered. */
final class Witness extends EnvironmentWrapper {
  private final List<Step> steps = new ArrayList<>();
  private final List<float[]> actions = new ArrayList<>();

  Witness(Environment environment) {
    super(environment);
  }

  /** All answers, with observations of their own. */
  List<Step> steps() {
    return steps;
  }

  List<float[]> actions() {
    return actions;
  }

  @Override
  public Step step(float[] action) {
    Step step = environment.step(action);
    actions.add(action.clone());
    steps.add(step.withObservation(step.observation().clone()));
    return step;
  }
}
