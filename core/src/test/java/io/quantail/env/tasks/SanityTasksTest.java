package io.quantail.env.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.env.Action;
import io.quantail.env.ActionSpace;
import io.quantail.env.Environment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The stated best returns with and without memory. */
@Requirement("ENV-1")
class SanityTasksTest {
  private static final int EPISODES = 4000;

  @Test
  void shouldPayOneForRememberingWhatWasTwoStepsAgo() {
    Function<List<float[]>, Integer> memory =
        seen -> seen.size() > 2 ? symbol(seen.get(seen.size() - 3)) : 0;
    for (int episode = 0; episode < 20; episode++) {
      assertThat(play(new RepeatPrevious(), memory, episode)).isCloseTo(1, within(1e-12));
    }
  }

  @Test
  void shouldPayAQuarterForRepeatingWithoutMemory() {
    // All maps from the symbol in sight to an action are alike: constant, equal, shifted.
    assertThat(mean(new RepeatPrevious(), seen -> 1)).isCloseTo(0.25, within(0.01));
    assertThat(mean(new RepeatPrevious(), seen -> symbol(last(seen))))
        .isCloseTo(0.25, within(0.01));
    assertThat(mean(new RepeatPrevious(), seen -> (symbol(last(seen)) + 1) % 4))
        .isCloseTo(0.25, within(0.01));
  }

  @Test
  void shouldPayOneForRememberingTheCue() {
    Function<List<float[]>, Integer> memory = seen -> seen.get(0)[0] > 0 ? 1 : 0;
    for (int delay : new int[] {0, 1, DelayedCue.DEFAULT_DELAY}) {
      assertThat(mean(new DelayedCue(delay), memory)).isEqualTo(1);
    }
  }

  @Test
  void shouldPayHalfForTheCueWithoutMemory() {
    assertThat(mean(new DelayedCue(10), seen -> 1)).isCloseTo(0.5, within(0.03));
    assertThat(mean(new DelayedCue(10), seen -> last(seen)[0] > 0 ? 1 : 0))
        .isCloseTo(0.5, within(0.03));
  }

  @Test
  void shouldShowTheCueFirstThenNothingThenTheQuestion() {
    DelayedCue environment = new DelayedCue(2);
    assertThat(environment.reset(RandomStream.of(0, "cue", 0))[0]).isIn(-1f, 1f);
    assertThat(environment.step(Action.of(environment.actionSpace(), 0)).observation())
        .containsExactly(0, 0);
    assertThat(environment.step(Action.of(environment.actionSpace(), 0)).observation())
        .containsExactly(0, 0);
    assertThat(environment.step(Action.of(environment.actionSpace(), 0)).observation())
        .containsExactly(0, 1);
    assertThat(environment.step(Action.of(environment.actionSpace(), 0)).isTerminated()).isTrue();
  }

  @Test
  void shouldRejectANegativeDelay() {
    assertThatThrownBy(() -> new DelayedCue(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("was -1");
  }

  @Test
  void shouldPayTheArmsOfTheBandit() {
    double total = 0;
    for (int arm = 0; arm < 4; arm++) {
      int choice = arm;
      total += play(new Bandit(), seen -> choice, 0);
    }
    assertThat(total / 4).isEqualTo(0.4375);
    assertThat(play(new Bandit(), seen -> 2, 0)).isEqualTo(1);
  }

  @Test
  void shouldLast32StepsWithOneSymbolAtATime() {
    RepeatPrevious environment = new RepeatPrevious();
    environment.reset(RandomStream.of(0, "symbols", 0));
    assertThat(environment.actionSpace()).isEqualTo(new ActionSpace.Discrete(4));
    for (int i = 1; i <= 32; i++) {
      Step step = environment.step(Action.of(environment.actionSpace(), 0));
      assertThat(step.isTerminated()).isEqualTo(i == 32);
      assertThat(step.observation()).containsOnly(0, 1).containsOnlyOnce(1);
    }
  }

  private static double mean(Environment environment, Function<List<float[]>, Integer> policy) {
    double total = 0;
    for (int episode = 0; episode < EPISODES; episode++) {
      total += play(environment, policy, episode);
    }
    return total / EPISODES;
  }

  private static double play(
      Environment environment, Function<List<float[]>, Integer> policy, int episode) {
    List<float[]> seen = new ArrayList<>();
    seen.add(environment.reset(RandomStream.of(7, "sanity", episode)));
    double total = 0;
    Step step;
    do {
      step = environment.step(Action.of(environment.actionSpace(), policy.apply(seen)));
      seen.add(step.observation());
      total += step.reward();
    } while (!step.done());
    return total;
  }

  private static float[] last(List<float[]> seen) {
    return seen.get(seen.size() - 1);
  }

  private static int symbol(float[] oneHot) {
    for (int i = 0; i < oneHot.length; i++) {
      if (oneHot[i] == 1) {
        return i;
      }
    }
    throw new AssertionError("no symbol");
  }
}
