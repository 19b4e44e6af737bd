package io.quantail.risk;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.rollout.Gae;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

@Requirement("CVAR-6")
class EpisodeWindowTest {
  private static final double NONE = Double.NaN;

  /**
   * Two environments, four steps. The first has an episode that began before the rollout with a sum
   * of 100 and is truncated at its second step, and one that goes on. The second terminates at its
   * first and its last step.
   */
  private static final double[] REWARDS = {1, 10, 2, 20, 4, 40, 8, 80};

  @Test
  void shouldChargeEachStepWithTheTotalOfItsEpisode() {
    EpisodeWindow window = new EpisodeWindow(1);

    double[] perStep = window.add(rollout(), new double[] {100, 1000});

    assertThat(perStep).containsExactly(103, 1010, 103, 140, NONE, 140, NONE, 140);
    assertThat(window.totals()).containsExactly(1010, 103, 140); // in the order of time
    assertThat(window.missing()).isEqualTo(17);
  }

  @Test
  void shouldKeepTheLastTwentyOverAlphaEpisodes() {
    EpisodeWindow window = new EpisodeWindow(0.8); // 25
    for (int i = 0; i < 8; i++) {
      window.add(rollout(), new double[] {i, 0});
    }
    assertThat(window.missing()).isEqualTo(1);
    window.add(rollout(), new double[] {8, 0});

    assertThat(window.missing()).isZero();
    // 27 episodes have ended; the oldest two are gone.
    assertThat(window.totals()).hasSize(25).startsWith(140, 10, 4).endsWith(10, 11, 140);
  }

  @Test
  void shouldKeepAllEpisodesOfARolloutThatHasMore() {
    EpisodeWindow window = new EpisodeWindow(1);
    double[] rewards = new double[50];
    boolean[] ended = new boolean[50];
    Arrays.setAll(rewards, i -> i);
    Arrays.fill(ended, true);

    window.add(input(1, rewards, ended, new boolean[50]), new double[1]);

    assertThat(window.totals()).containsExactly(rewards);
    window.add(rollout(), new double[2]);
    assertThat(window.totals()).hasSize(20).startsWith(33).endsWith(10, 3, 140);
  }

  @Test
  @Requirement("CKPT-1")
  void shouldGoOnFromASavedState() {
    EpisodeWindow window = new EpisodeWindow(1);
    window.add(rollout(), new double[2]);
    StateMap state = new StateMap();
    window.save(state);
    EpisodeWindow other = new EpisodeWindow(1);
    other.load(state);
    state.requireAllRead();

    assertThat(other.totals()).containsExactly(window.totals());
    other.load(new StateMap()); // of a build without episodes
    assertThat(other.totals()).isEmpty();
  }

  private static Gae.Input rollout() {
    return input(
        2,
        REWARDS,
        new boolean[] {false, true, false, false, false, false, false, true},
        new boolean[] {false, false, true, false, false, false, false, false});
  }

  private static Gae.Input input(
      int environments, double[] rewards, boolean[] terminated, boolean[] truncated) {
    double[] zero = new double[rewards.length];
    return new Gae.Input(
        environments, rewards, zero, terminated, truncated, zero, new double[environments], 0.9, 1);
  }
}
