package io.quantail.env.tasks;

import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.vectors.VectorCase;
import io.quantail.testing.vectors.VectorCheck;
import io.quantail.testing.vectors.VectorFamily;
import java.util.Arrays;
import java.util.Map;

/** Tasks against trajectories that were recorded with Gymnasium and POPGym. */
public final class TaskVectors implements VectorFamily {
  @Override
  public Map<String, VectorCheck> checks() {
    return Map.of(
        "gymnasium_acrobot", vector -> checkControl(vector, new Acrobot()),
        "gymnasium_mountain_car", vector -> checkControl(vector, new MountainCarContinuous()),
        "popgym_repeat_previous_easy", this::checkRepeatPrevious,
        "popgym_autoencode_easy", this::checkAutoencode,
        "popgym_concentration_easy", vector -> checkConcentration(vector, CardFace.COLOUR),
        "popgym_concentration_hard", vector -> checkConcentration(vector, CardFace.RANK));
  }

  private void checkControl(VectorCase vector, Environment environment) {
    double[] start = vector.doubles("start_state");
    double[][] states = new double[vector.doubles("actions").length][];
    int[] time = {0};
    play(
        vector,
        environment,
        start,
        observation -> states[time[0]++] = Arrays.copyOf(environment.snapshot(), start.length));
    vector.expect("states", states);
  }

  private void checkRepeatPrevious(VectorCase vector) {
    double[] cards = vector.doubles("cards");
    int[] suits = new int[vector.doubles("actions").length];
    int[] time = {0};
    play(
        vector,
        new RepeatPreviousSuit(cards.length, 3),
        with(cards, 1),
        observation -> suits[time[0]++] = only(observation, 0));
    vector.expect("suits", suits);
  }

  private void checkAutoencode(VectorCase vector) {
    double[] cards = vector.doubles("cards");
    boolean[] play = new boolean[vector.doubles("actions").length];
    int[] suits = new int[cards.length - 1]; // while cards are shown
    int[] time = {0};
    play(
        vector,
        new Autoencode(cards.length),
        with(cards, 1, 0),
        observation -> {
          if (time[0] < suits.length) {
            suits[time[0]] = only(observation, 1);
          }
          play[time[0]++] = observation[0] == 1;
        });
    vector.expect("play", play);
    vector.expect("suits", suits);
  }

  private void checkConcentration(VectorCase vector, CardFace face) {
    double[] cards = vector.doubles("cards");
    int cardCount = cards.length;
    double[] start = Arrays.copyOf(cards, 2 * cardCount + 1);
    start[2 * cardCount] = -1;
    int[] shown = new int[vector.doubles("actions").length * cardCount];
    int[] time = {0};
    play(
        vector,
        new Concentration(cardCount, face),
        start,
        observation -> {
          for (int card = 0; card < cardCount; card++) {
            shown[time[0]++] =
                only(
                    Arrays.copyOfRange(observation, card * face.count(), (card + 1) * face.count()),
                    0);
          }
        });
    // The vector has the first observations only.
    int compared = vector.expected("face_values").size() * cardCount;
    vector.expect("face_values", Arrays.copyOf(shown, compared));
  }

  private interface Seen {
    void observation(float[] observation);
  }

  /** Plays the actions from a state, and compares rewards and ends. */
  private static void play(VectorCase vector, Environment environment, double[] start, Seen seen) {
    double[] actions = vector.doubles("actions");
    double[] rewards = new double[actions.length];
    boolean[] terminated = new boolean[actions.length];
    environment.restore(TaskSnapshot.of(start), RandomStream.of(0, "unused", 0));
    for (int t = 0; t < actions.length; t++) {
      Step step = environment.step(Action.of(environment.actionSpace(), (float) actions[t]));
      seen.observation(step.observation());
      rewards[t] = step.reward();
      terminated[t] = step.isTerminated();
    }
    vector.expect("rewards", rewards);
    vector.expect("terminated", terminated);
  }

  /** The index of the only 1 from a component on, counted from there; -1 if there is none. */
  private static int only(float[] observation, int from) {
    int found = -1;
    for (int i = from; i < observation.length; i++) {
      if (observation[i] != 0) {
        if (observation[i] != 1 || found != -1) {
          throw new AssertionError("not one-hot: " + Arrays.toString(observation));
        }
        found = i - from;
      }
    }
    return found;
  }

  private static double[] with(double[] numbers, double... more) {
    double[] all = Arrays.copyOf(numbers, numbers.length + more.length);
    System.arraycopy(more, 0, all, numbers.length, more.length);
    return all;
  }
}
