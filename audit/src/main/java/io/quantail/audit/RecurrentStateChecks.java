package io.quantail.audit;

import io.quantail.audit.reference.ReferenceMath;
import io.quantail.audit.reference.ReferenceNetwork;
import io.quantail.audit.reference.ReferenceRollout;
import io.quantail.kernel.Workspace;
import io.quantail.model.ActingModel;
import io.quantail.network.NetworkPass;
import io.quantail.network.RecurrentState;
import io.quantail.network.SequenceInput;
import io.quantail.rollout.SequenceBatch;
import java.util.Arrays;

/** Recurrent states: as stored, over whole sequences, step by step, and after a reset. */
final class RecurrentStateChecks {
  private RecurrentStateChecks() {}

  static Deviation windowStates(AuditSubject subject) {
    ReferenceNetwork.State[] carried = RolloutReplay.of(subject).carried();
    Deviation deviation = new Deviation();
    for (int window = 0; window < carried.length; window++) {
      ReferenceNetwork.State stored = subject.own().experience().windowStates()[window];
      for (int slot = 0; slot < stored.hidden().length; slot++) {
        deviation
            .add(stored.hidden()[slot], carried[window].hidden()[slot])
            .add(Deviation.absolute(stored.cell()[slot], carried[window].cell()[slot]) / 10);
      }
    }
    return deviation;
  }

  static Deviation sequences(AuditSubject subject) {
    SampleRollout sample = subject.own();
    ActingModel agent = sample.agent();
    Deviation steps = new Deviation();
    Deviation reference = new Deviation();
    for (int window : sample.allWindows()) {
      SequenceInput whole = new SequenceBatch(sample.rollout(), new int[] {window}).sequences();
      NetworkPass pass = agent.network().evaluate(new Workspace(), agent.inference(), whole);
      compareSteps(sample, window, pass, steps);
      compareReference(sample, window, pass, reference);
    }
    return Deviation.of(Math.max(steps.error(), reference.error()))
        .require(steps.error() <= 1e-6)
        .note("single steps %s, reference network %s", steps.error(), reference.error());
  }

  private static void compareReference(
      SampleRollout sample, int window, NetworkPass actual, Deviation deviation) {
    ReferenceRollout experience = sample.experience();
    ReferenceNetwork network = sample.referenceNetwork();
    double[] parameters = sample.parameters();
    int[] row = {0};
    experience.forEachStep(
        window,
        network,
        (at, state) -> {
          ReferenceNetwork.Output output =
              network.step(parameters, experience.observations()[at], state);
          float[] actions = actual.actions()[row[0]];
          compare(actions, network.outputsOf(output.policy()), deviation);
          double[] values =
              Arrays.stream(output.critics()).flatMapToDouble(Arrays::stream).toArray();
          compare(actual.values()[row[0]++], values, deviation);
        });
  }

  private static void compare(float[] actual, double[] expected, Deviation deviation) {
    double unit = Math.max(1, Deviation.largest(expected));
    deviation.add(Deviation.absolute(ReferenceMath.doubles(actual), expected) / unit);
  }

  private static void compareSteps(
      SampleRollout sample, int window, NetworkPass whole, Deviation deviation) {
    ReferenceRollout experience = sample.experience();
    ActingModel agent = sample.agent();
    ReferenceNetwork.State stored = experience.windowStates()[window];
    RecurrentState state = new RecurrentState(planes(stored.hidden()), planes(stored.cell()));
    for (int row = 0; row < experience.window(); row++) {
      int at = experience.transition(window, row);
      if (row > 0 && experience.ends()[experience.transition(window, row - 1)]) {
        state = agent.network().initialState(1);
      }
      NetworkPass step = step(agent, new double[][] {experience.observations()[at]}, state);
      compare(step.actions()[0], ReferenceMath.doubles(whole.actions()[row]), deviation);
      compare(step.values()[0], ReferenceMath.doubles(whole.values()[row]), deviation);
      state = step.next();
    }
  }

  private static NetworkPass step(
      ActingModel agent, double[][] observations, RecurrentState state) {
    return agent
        .network()
        .step(new Workspace(), agent.inference(), ReferenceMath.floats(observations), state);
  }

  private static float[][][] planes(double[][] rows) {
    return Arrays.stream(rows)
        .map(row -> new float[][] {ReferenceMath.floats(row)})
        .toArray(float[][][]::new);
  }

  static Deviation reset(AuditSubject subject) {
    ActingModel agent = subject.own().agent();
    int rows = 3;
    double[][] observations = Arrays.copyOf(subject.own().experience().observations(), rows);
    RecurrentState fresh = agent.network().initialState(rows);
    RecurrentState state = step(agent, observations, fresh).next();
    RecurrentState reset = state.startEpisodes(new boolean[] {false, true, false});
    float[] kept = hidden(agent, observations, state);
    float[] changed = hidden(agent, observations, reset);
    float[] started = hidden(agent, observations, fresh);
    Deviation others = new Deviation();
    Deviation own = new Deviation();
    int width = agent.network().width();
    for (int i = 0; i < kept.length; i++) {
      boolean wasReset = i / width % rows == 1;
      (wasReset ? own : others).add(changed[i], wasReset ? started[i] : kept[i]);
    }
    return Deviation.of(Math.max(others.error(), own.error()))
        .note(
            "others changed by %s, the reset one differs from a fresh one by %s",
            others.error(), own.error());
  }

  private static float[] hidden(ActingModel agent, double[][] observations, RecurrentState state) {
    return RecurrentState.flat(step(agent, observations, state).next().hidden());
  }
}
