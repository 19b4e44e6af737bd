package io.quantail.env.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.env.Action;
import io.quantail.env.Environment;
import io.quantail.env.Step;
import io.quantail.random.RandomStream;
import io.quantail.risk.EmpiricalCvar;
import io.quantail.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tails that the tasks state are those of the rewards they pay. */
@Requirement("ENV-1")
class RiskTasksTest {

  @Test
  void shouldPayEpisodesWithTheStatedTail() {
    List<Double> totals = new ArrayList<>();
    for (int episode = 0; episode < 40_000; episode++) {
      totals.add(play(new EpisodeExposure(), episode, 0.5f).stream().mapToDouble(x -> x).sum());
    }
    // 0.5 (10 0.02 - sqrt(10) 0.1 2.0627), by hand
    assertThat(0.5 * EpisodeExposure.cvar(0.05)).isCloseTo(-0.22614, within(1e-4));
    assertThat(cvar(totals)).isCloseTo(0.5 * EpisodeExposure.cvar(0.05), within(0.005));
  }

  @Test
  void shouldPayRoundsWithTheStatedFatTail() {
    List<Double> rewards = new ArrayList<>();
    for (int episode = 0; episode < 10_000; episode++) {
      rewards.addAll(play(new FatTailExposure(), episode, 1));
    }
    double stated = FatTailExposure.cvar(0.05);
    assertThat(cvar(rewards)).isCloseTo(stated, within(0.02 * Math.abs(stated)));
    assertThat(rewards.stream().mapToDouble(x -> x).average().orElseThrow())
        .isCloseTo(FatTailExposure.DRIFT, within(2e-4));
    // Of everything, the mean is the drift; and the tail of rare rounds is far fatter than normal.
    assertThat(FatTailExposure.cvar(1 - 1e-12)).isCloseTo(FatTailExposure.DRIFT, within(1e-6));
    assertThat(FatTailExposure.cvar(0.001) / stated).isGreaterThan(3);
  }

  /** Large changes follow large ones; their signs do not follow each other. */
  @Test
  void shouldShowTheVolatilityInPastChangesOnly() {
    double sizes = 0;
    double signs = 0;
    int count = 0;
    for (int episode = 0; episode < 2_000; episode++) {
      List<Double> changes = play(new FatTailExposure(), episode, 1);
      for (int i = 1; i < changes.size(); i++) {
        boolean large = Math.abs(changes.get(i)) > 0.01;
        boolean before = Math.abs(changes.get(i - 1)) > 0.01;
        sizes += large == before ? 1 : -1;
        signs += Math.signum(changes.get(i)) * Math.signum(changes.get(i - 1));
        count++;
      }
    }
    assertThat(sizes / count).isGreaterThan(0.2);
    assertThat(signs / count).isLessThan(0.05);
  }

  private static double cvar(List<Double> samples) {
    return EmpiricalCvar.empirical(samples.stream().mapToDouble(x -> x).toArray(), 0.05, 0).cvar();
  }

  private static List<Double> play(Environment environment, int episode, float exposure) {
    environment.reset(RandomStream.of(11, "risk-tasks", episode));
    List<Double> rewards = new ArrayList<>();
    Step step;
    do {
      step = environment.step(Action.of(environment.actionSpace(), exposure));
      rewards.add(step.reward());
    } while (!step.done());
    return rewards;
  }
}
