package io.quantail.population;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Requirement("PBT-1")
class DecisionTest {
  private static final double NAN = Double.NaN;

  private static RandomStream random(int seed) {
    return RandomStream.of(seed, "decision", 0);
  }

  @ParameterizedTest
  @EnumSource(Selection.class)
  void shouldDependOnScoresAndSeedAlone(Selection selection) {
    double[] scores = {3, 1, NAN, 2, 5, 4, 0, Double.NEGATIVE_INFINITY};
    Set<List<Integer>> plans = new HashSet<>();
    for (int seed = 0; seed < 40; seed++) {
      int[] first = Decision.of(scores, selection, 0.5, random(seed)).sources();
      assertThat(Decision.of(scores, selection, 0.5, random(seed)).sources()).isEqualTo(first);
      plans.add(Arrays.stream(first).boxed().toList());
    }
    assertThat(plans).hasSizeGreaterThan(3);
  }

  @ParameterizedTest
  @EnumSource(Selection.class)
  void shouldNeverCopyWhatIsWorseOrFailedAndAlwaysReplaceTheFailed(Selection selection) {
    for (int seed = 0; seed < 200; seed++) {
      RandomStream random = random(seed);
      double[] scores = new double[2 + random.nextInt(9)];
      Arrays.setAll(scores, i -> random.nextDouble() < 0.3 ? NAN : random.nextInt(4));
      scores[random.nextInt(scores.length)] = 1;
      Decision decision = Decision.of(scores, selection, 0.5, random);
      for (int member = 0; member < scores.length; member++) {
        int source = decision.sources()[member];
        assertThat(scores[source]).isFinite();
        if (Double.isFinite(scores[member])) {
          assertThat(scores[source]).isGreaterThanOrEqualTo(scores[member]);
        } else {
          assertThat(decision.exploits(member)).isTrue();
        }
      }
    }
  }

  @Test
  void shouldReplaceTheWorstQuarterByTheBestQuarter() {
    double[] scores = {3, 1, 7, 2, 5, 4, 0, 6};
    Set<Integer> sources = new HashSet<>();
    for (int seed = 0; seed < 30; seed++) {
      Decision decision = Decision.of(scores, Selection.TRUNCATION, 0.25, random(seed));
      for (int member : new int[] {0, 2, 3, 4, 5, 7}) {
        assertThat(decision.exploits(member)).isFalse();
      }
      sources.add(decision.sources()[1]);
      sources.add(decision.sources()[6]);
    }
    assertThat(sources).containsExactlyInAnyOrder(2, 7);
  }

  @Test
  void shouldReplaceAtLeastOneAndNobodyWhenOneIsLeft() {
    assertThat(Decision.of(new double[] {1, 2, 3}, Selection.TRUNCATION, 0.1, random(1)).sources())
        .containsExactly(2, 1, 2);
    assertThat(Decision.of(new double[] {NAN, 2}, Selection.TRUNCATION, 0.5, random(1)).sources())
        .containsExactly(1, 1);
    assertThatThrownBy(
            () -> Decision.of(new double[] {NAN, NAN}, Selection.TRUNCATION, 0.5, random(1)))
        .hasMessageContaining("no member has a score");
  }

  @Test
  void shouldMeetEveryOpponentInATournament() {
    double[] scores = {0, 1, 2, 3};
    Set<Integer> met = new HashSet<>();
    for (int seed = 0; seed < 60; seed++) {
      int[] sources =
          Decision.of(scores, Selection.BINARY_TOURNAMENT, 0.25, random(seed)).sources();
      met.add(sources[0]);
      assertThat(sources[3]).isEqualTo(3);
    }
    assertThat(met).containsExactlyInAnyOrder(1, 2, 3);
  }

  @Test
  void shouldExploreOnlyAfterExploit() {
    Hyperparameter rate =
        new Hyperparameter("a", new Hyperparameter.Range(0.1, 10, Scale.LOG, false), 1.5, 0.2);
    PopulationConfig config =
        new PopulationConfig(
            4,
            2,
            1,
            Selection.TRUNCATION,
            0.25,
            OptimizerStrategy.RESET,
            Start.CONFIGURED,
            0.5,
            java.util.Map.of());
    Planner planner = new Planner(config, new Space(List.of(rate), java.util.Map.of("a", "1")), 9);
    List<Unit> first = planner.first();
    assertThat(first).allMatch(unit -> unit.hyperparameters().get("a").equals("1"));
    assertThat(first.stream().map(Unit::seed).distinct()).hasSize(4);
    List<Entry> reached =
        IntStream.range(0, 4)
            .mapToObj(m -> Entry.of(first.get(m), new MemberResult("d", "h", m, 1, 1, 1, NAN), "s"))
            .toList();
    List<Unit> next = planner.next(reached);
    assertThat(planner.next(reached)).isEqualTo(next);
    for (int member = 1; member < 4; member++) {
      assertThat(next.get(member).hyperparameters()).isEqualTo(first.get(member).hyperparameters());
      assertThat(next.get(member).seed()).isEqualTo(first.get(member).seed());
      assertThat(next.get(member).exploits()).isFalse();
    }
    assertThat(next.get(0).source()).isEqualTo(3);
    assertThat(next.get(0).hyperparameters()).isNotEqualTo(first.get(0).hyperparameters());
    assertThat(next.get(0).seed()).isNotEqualTo(first.get(0).seed());
  }

  @Test
  void shouldStayInTheRangeAndMoveWholeNumbers() {
    Hyperparameter.Range whole = new Hyperparameter.Range(1, 9, Scale.LINEAR, true);
    assertThat(whole.neighbour("2", 0.1, 1.1)).isEqualTo("3");
    assertThat(whole.neighbour("2", 0.9, 1.1)).isEqualTo("1");
    assertThat(whole.neighbour("9", 0.1, 1.1)).isEqualTo("9");
    assertThat(whole.at(0)).isEqualTo("1");
    assertThat(whole.at(1)).isEqualTo("9");
    Hyperparameter hyperparameter =
        new Hyperparameter("a", new Hyperparameter.Range(1e-5, 1e-2, Scale.LOG, false), 3, 0.3);
    RandomStream random = random(4);
    String value = "0.001";
    for (int i = 0; i < 300; i++) {
      value = hyperparameter.explore(value, random);
      assertThat(Double.parseDouble(value)).isBetween(1e-5, 1e-2);
    }
  }
}
