package io.quantail.env.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What the masked and the mixed task pay: at best, and without memory. */
@Requirement("ACT-2")
class MaskedTasksTest {
  /** Chooses an action from the observation and the mask. */
  @FunctionalInterface
  private interface Player {
    float[] act(float[] observation, boolean[] mask, int time);
  }

  private static double play(Environment task, long episode, Player player) {
    float[] observation = task.reset(RandomStream.of(8, "episode", episode));
    double total = 0;
    for (int time = 0; ; time++) {
      boolean[] mask = new boolean[task.actionSpace().maskSize()];
      Arrays.fill(mask, true);
      task.allowed(mask);
      Step step = task.step(Action.of(task.actionSpace(), player.act(observation, mask, time)));
      total += step.reward();
      observation = step.observation();
      if (step.done()) {
        return total;
      }
    }
  }

  private static int shown(float[] observation, int count) {
    int shown = 0;
    while (shown < count && observation[shown] != 1) {
      shown++;
    }
    return shown;
  }

  /** The first allowed choice of an order. */
  private static float[] first(int[] order, boolean[] mask) {
    return new float[] {Arrays.stream(order).filter(k -> mask[k]).findFirst().orElseThrow()};
  }

  private static int[] from(int cue) {
    int[] order = new int[MaskedRecall.CHOICES];
    Arrays.setAll(order, i -> (cue + i) % MaskedRecall.CHOICES);
    return order;
  }

  @Test
  void shouldPayOneForTheOrderOfTheCue() {
    for (int episode = 0; episode < 50; episode++) {
      int[] cue = new int[1];
      double total =
          play(
              new MaskedRecall(),
              episode,
              (observation, mask, time) -> {
                cue[0] = time == 0 ? shown(observation, 6) : cue[0];
                return first(from(cue[0]), mask);
              });
      assertThat(total).isCloseTo(1, within(1e-12));
    }
  }

  /** All 720 orders, each against all cues and all masks: none does better than the stated mean. */
  @Test
  void shouldPayLessThanHalfForTheBestOrderWithoutMemory() {
    double best = 0;
    int[] order = {0, 1, 2, 3, 4, 5};
    int[] swaps = new int[6];
    best = Math.max(best, right(order));
    for (int i = 0; i < 6; ) { // all permutations, by Heap's algorithm
      if (swaps[i] < i) {
        int other = i % 2 == 0 ? 0 : swaps[i];
        int kept = order[other];
        order[other] = order[i];
        order[i] = kept;
        best = Math.max(best, right(order));
        swaps[i]++;
        i = 0;
      } else {
        swaps[i++] = 0;
      }
    }
    double mean = 0;
    for (int n = 1; n <= 6; n++) {
      mean += (1 - 7.0 * (n - 1) / (6 * (n + 1))) / 6;
    }
    assertThat(best).isCloseTo(mean, within(1e-12)).isCloseTo(0.453, within(5e-4));
    assertThat((1 + 15 * best) / 16).isCloseTo(0.487, within(5e-4));
  }

  /** Probability that an order chooses as the order of the cue does. */
  private static double right(int[] order) {
    double sum = 0;
    int[] sets = new int[7];
    for (int set = 1; set < 64; set++) {
      sets[Integer.bitCount(set)]++;
    }
    for (int set = 1; set < 64; set++) {
      boolean[] mask = new boolean[6];
      for (int k = 0; k < 6; k++) {
        mask[k] = (set >> k & 1) == 1;
      }
      float chosen = first(order, mask)[0];
      for (int cue = 0; cue < 6; cue++) {
        boolean same = first(from(cue), mask)[0] == chosen;
        sum += same ? 1.0 / (6 * 6 * sets[Integer.bitCount(set)]) : 0;
      }
    }
    return sum;
  }

  @Test
  void shouldAllowEveryNumberOfChoicesEquallyOften() {
    int[] counts = new int[7];
    for (int episode = 0; episode < 400; episode++) {
      play(
          new MaskedRecall(),
          episode,
          (observation, mask, time) -> {
            int allowed = 0;
            for (boolean one : mask) {
              allowed += one ? 1 : 0;
            }
            counts[allowed]++;
            return first(from(0), mask);
          });
    }
    assertThat(counts[0]).isZero();
    for (int n = 1; n <= 6; n++) {
      assertThat(counts[n]).isBetween(950, 1180); // 6400 / 6
    }
  }

  @Test
  void shouldPayOneForTheSymbolAndTheLevelOfTheStepBefore() {
    for (int episode = 0; episode < 50; episode++) {
      assertThat(recall(episode, true)).isCloseTo(1, within(1e-12));
    }
  }

  @Test
  void shouldPayTwoThirdsForTheSymbolsAlone() {
    double mean = 0;
    for (int episode = 0; episode < 4000; episode++) {
      mean += recall(episode, false) / 4000;
    }
    assertThat(mean).isCloseTo(2.0 / 3, within(0.005));
  }

  private static double recall(int episode, boolean level) {
    float[][] before = {{0, 0, 0, 0, 0}};
    return play(
        new RepeatMixed(),
        episode,
        (observation, mask, time) -> {
          int symbol = shown(before[0], RepeatMixed.SYMBOLS);
          int chosen = time == 0 ? (mask[0] ? 0 : 1) : symbol;
          assertThat(mask[chosen]).as("what is asked for is allowed").isTrue();
          float[] action = {chosen, level ? before[0][RepeatMixed.SYMBOLS] : 0};
          before[0] = observation;
          return action;
        });
  }

  /** No memory, the first allowed choice: right if it is the asked one, in one step of three. */
  @Test
  void shouldPayTwoNinthsWithoutMemory() {
    double mean = 0;
    for (int episode = 0; episode < 4000; episode++) {
      mean +=
          play(
                  new RepeatMixed(),
                  episode,
                  (observation, mask, time) -> new float[] {mask[0] ? 0 : 1, 0})
              / 4000;
    }
    assertThat(mean).isCloseTo(2.0 / 9, within(0.006));
  }
}
