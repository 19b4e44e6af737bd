package io.quantail.env.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Returns and lengths of the card games, and the values of the task with a time limit. */
@Requirement("ENV-1")
class MemoryAndLimitTasksTest {
  /** An episode's return, its length and how it ended. */
  private record Played(double total, int length, boolean terminated) {}

  @ParameterizedTest
  @CsvSource({"Easy, 52, 3", "Medium, 104, 31", "Hard, 156, 63"})
  void shouldPayOneForRepeatingThePreviousSuit(String size, int cards, int lag) {
    Function<List<float[]>, Integer> memory =
        seen -> seen.size() > lag ? hot(seen.get(seen.size() - 1 - lag), 0) : 0;
    Played played = play("RepeatPrevious" + size + "-v0", memory, 0);
    assertThat(played.total()).isCloseTo(1, within(1e-12));
    assertThat(played.length()).isEqualTo(cards - 1);
    assertThat(played.terminated()).isTrue();
    // One step further back is another card.
    Function<List<float[]>, Integer> late =
        seen -> seen.size() > lag + 1 ? hot(seen.get(seen.size() - 2 - lag), 0) : 0;
    assertThat(play("RepeatPrevious" + size + "-v0", late, 0).total()).isBetween(-0.9, 0.2);
  }

  @ParameterizedTest
  @CsvSource({"Tiny, 8", "Easy, 52", "Medium, 104", "Hard, 156"})
  void shouldPayOneForNamingTheSuitsInReverseOrder(String size, int cards) {
    Function<List<float[]>, Integer> memory =
        seen -> seen.size() < cards ? 0 : hot(seen.get(2 * cards - 1 - seen.size()), 1);
    Played played = play("Autoencode" + size + "-v0", memory, 0);
    assertThat(played.total()).isCloseTo(1, within(1e-12));
    assertThat(played.length()).isEqualTo(2 * cards - 1);
    assertThat(played.terminated()).isTrue();
  }

  @Test
  void shouldPayMinusAHalfForGuessing() {
    for (String name : List.of("RepeatPreviousEasy-v0", "AutoencodeTiny-v0", "AutoencodeEasy-v0")) {
      double total = 0;
      int episodes = 500;
      for (int episode = 0; episode < episodes; episode++) {
        RandomStream guess = RandomStream.of(1, "guess", episode);
        total += play(name, seen -> guess.nextInt(4), episode).total();
      }
      assertThat(total / episodes).as(name).isCloseTo(-0.5, within(0.06));
    }
  }

  @ParameterizedTest
  @CsvSource({"8, COLOUR", "52, COLOUR", "104, COLOUR", "52, RANK"})
  void shouldEndConcentrationWhenAllCardsAreFaceUp(int cards, CardFace face) {
    Concentration environment = new Concentration(cards, face);
    environment.reset(RandomStream.of(7, "memory", 0));
    double[] faces = Arrays.copyOf(environment.snapshot(), cards);
    int[] waiting = new int[face.count()]; // card that has no partner yet, plus one
    int turned = 0;
    double total = 0;
    for (int card = 0; card < cards; card++) {
      int shown = (int) faces[card];
      if (waiting[shown] == 0) {
        waiting[shown] = card + 1;
        continue;
      }
      assertThat(
              environment.step(Action.of(environment.actionSpace(), waiting[shown] - 1)).reward())
          .isZero();
      Step second = environment.step(Action.of(environment.actionSpace(), card));
      waiting[shown] = 0;
      turned += 2;
      total += second.reward();
      assertThat(second.isTerminated()).isEqualTo(turned == cards);
    }
    assertThat(total).isCloseTo(1, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"Tiny, 16", "Easy, 104", "Medium, 208", "Hard, 104"})
  void shouldCutConcentrationWithTheWorstReturn(String size, int steps) {
    Played played = play("Concentration" + size + "-v0", seen -> 0, 0);
    assertThat(played.length()).isEqualTo(steps);
    assertThat(played.terminated()).isFalse();
    assertThat(played.total()).isCloseTo(-1, within(1e-12));
  }

  @Test
  void shouldKnowEverySize() {
    Map<String, Integer> sizes =
        Map.of("ConcentrationTiny-v0", 16, "ConcentrationHard-v0", 676, "AutoencodeHard-v0", 5);
    sizes.forEach(
        (name, size) -> {
          try (Environment environment = EnvironmentRegistry.byName(name).create(0)) {
            assertThat(environment.observationSpace().size()).isEqualTo(size);
          }
        });
  }

  @Test
  void shouldDealWholePacks() {
    for (CardFace face : CardFace.values()) {
      int[] counts = new int[face.count()];
      for (int shown : face.shuffled(RandomStream.of(3, "cards", 0), 104)) {
        counts[shown]++;
      }
      assertThat(counts).containsOnly(104 / face.count());
    }
  }

  @Test
  void shouldPayForRestingAndAtTheTop() {
    Ladder ladder = new Ladder();
    ladder.restore(new double[] {18, 1}, RandomStream.of(0, "unused", 0));
    double[] rewards = new double[5];
    int[] actions = {0, 1, 1, 1, 0};
    float[] last = {};
    for (int t = 0; t < actions.length; t++) {
      Step step = ladder.step(Action.of(ladder.actionSpace(), actions[t]));
      rewards[t] = step.reward();
      last = step.observation();
      assertThat(step.done()).isFalse();
    }
    assertThat(rewards).containsExactly(1, 0, 0, 3, 1);
    assertThat(last).containsExactly(1);
  }

  @ParameterizedTest
  @CsvSource({"TimeLimit-v0, 20", "TimeLimitLong-v0, 200"})
  void shouldTruncateTheLadder(String name, int limit) {
    Played resting = play(name, seen -> 0, 1);
    assertThat(resting).isEqualTo(new Played(limit, limit, false));
    try (Environment environment = EnvironmentRegistry.byName(name).create(0)) {
      int start = Math.round(20 * environment.reset(RandomStream.of(7, "memory", 1))[0]);
      assertThat(start).isBetween(0, 19);
      // The steps up to the top earn nothing.
      Played climbing = play(name, seen -> 1, 1);
      assertThat(climbing).isEqualTo(new Played(3.0 * (limit - (20 - start)), limit, false));
    }
  }

  @Test
  void shouldMakeTheTimeLimitDecideWhatIsBest() {
    // Exact values by iteration. Without a limit climbing is best everywhere; if the limit counts
    // as
    // an end, with on average half of an episode left, resting is best on the lower rungs.
    double gamma = 0.99;
    double[] endless = new double[21];
    for (int sweep = 0; sweep < 5000; sweep++) {
      for (int rung = 20; rung >= 0; rung--) {
        endless[rung] = Math.max(rest(endless, rung, gamma), climb(endless, rung, gamma));
      }
    }
    double ended = 1 - 1.0 / 20;
    double[] limited = new double[21];
    for (int sweep = 0; sweep < 5000; sweep++) {
      for (int rung = 20; rung >= 0; rung--) {
        limited[rung] =
            Math.max(rest(limited, rung, gamma * ended), climb(limited, rung, gamma * ended));
      }
    }
    for (int rung = 0; rung <= 20; rung++) {
      assertThat(endless[rung]).isCloseTo(Math.pow(gamma, 20 - rung) * 300, within(1e-6));
      assertThat(climb(endless, rung, gamma)).isGreaterThan(rest(endless, rung, gamma));
    }
    assertThat(rest(limited, 0, gamma * ended)).isGreaterThan(climb(limited, 0, gamma * ended));
  }

  private static double rest(double[] values, int rung, double gamma) {
    return 1 + gamma * values[rung];
  }

  private static double climb(double[] values, int rung, double gamma) {
    return rung == 20 ? 3 + gamma * values[20] : gamma * values[rung + 1];
  }

  private static Played play(String name, Function<List<float[]>, Integer> policy, int episode) {
    try (Environment environment = EnvironmentRegistry.byName(name).create(0)) {
      List<float[]> seen = new ArrayList<>();
      seen.add(environment.reset(RandomStream.of(7, "memory", episode)));
      double total = 0;
      int length = 0;
      Step step;
      do {
        step = environment.step(Action.of(environment.actionSpace(), policy.apply(seen)));
        seen.add(step.observation());
        total += step.reward();
        length++;
      } while (!step.done());
      return new Played(total, length, step.isTerminated());
    }
  }

  private static int hot(float[] observation, int from) {
    for (int i = from; i < observation.length; i++) {
      if (observation[i] == 1) {
        return i - from;
      }
    }
    throw new AssertionError("no 1 in " + Arrays.toString(observation));
  }
}
