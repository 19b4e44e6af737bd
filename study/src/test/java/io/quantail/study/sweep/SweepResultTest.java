package io.quantail.study.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("REP-1")
class SweepResultTest {
  private static SweepResult.Point point(int number, double... scores) {
    List<SweepResult.Training> trainings = new ArrayList<>();
    for (double score : scores) {
      int seed = trainings.size() + 1;
      trainings.add(
          Double.isNaN(score)
              ? SweepResult.Training.failed(seed, "lost")
              : new SweepResult.Training(
                  seed, score, 100, "runs/" + seed, "report.html", null, null));
    }
    return SweepResult.Point.of(number, Map.of("ppo.epochs", String.valueOf(number)), trainings);
  }

  private static SweepResult sweep(SweepResult.Point... points) {
    return SweepResult.of(
        Path.of("sweep"),
        Path.of("sweep/report.html"),
        "Task-v0",
        "three episodes",
        List.of(points));
  }

  @Test
  void shouldRankByMedianThenByTheWorstNeverByTheBest() {
    SweepResult.Point lucky = point(1, 1, 2, 900);
    SweepResult.Point steady = point(2, 4, 5, 6);
    SweepResult.Point steadier = point(3, 4.5, 5, 5.5);
    SweepResult.Point same = point(4, 5.5, 4.5, 5);
    assertThat(sweep(lucky, steady, same, steadier).ranked())
        .containsExactly(steadier, same, steady, lucky);
    assertThat(sweep(lucky, steady).bestPoint()).contains(steady);
    assertThat(sweep(lucky, steady).verdict())
        .isEqualTo(
            "Task-v0: best of 2 points is ppo.epochs=2: median 5.0 over 3 seeds, between 4.0 and"
                + " 6.0.");
  }

  @Test
  void shouldTakeTheLowerOfTwoInTheMiddle() {
    SweepResult.Point point = point(1, 4, 1, 3, 2);
    assertThat(point.median()).isEqualTo(2);
    assertThat(point.medianTraining().seed()).isEqualTo(4);
  }

  /** Otherwise a point whose bad seeds fail would look better than it is. */
  @Test
  void shouldCountAnAgentThatFailedAsTheWorst() {
    SweepResult.Point broken = point(1, Double.NaN, 9, 8);
    assertThat(broken.median()).isEqualTo(8);
    assertThat(broken.worst()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(broken.trained()).isEqualTo(2);
    SweepResult.Point whole = point(2, 7, 8, 8);
    assertThat(sweep(broken, whole).ranked()).containsExactly(whole, broken);
    SweepResult lost =
        sweep(point(1, Double.NaN, Double.NaN, 9), point(2, Double.NaN, Double.NaN, 10));
    assertThat(lost.bestPoint()).isEmpty();
    assertThat(lost.verdict()).contains("no point of the grid has a median");
    assertThat(lost.csv()).contains("1,1,1,,,,lost\n");
    assertThat(lost.best()).isNull();
  }

  @Test
  void shouldSayWhenItMayBeChance() {
    assertThat(sweep(point(1, 1, 2, 3), point(2, 4, 5, 6)).doubt()).isEmpty();
    assertThat(sweep(point(1, 1, 2, 5), point(2, 4, 5, 6), point(3, 1, 1, 1)).doubt())
        .startsWith("1 of the 2 other points have a seed that reached this median");
    assertThat(sweep(point(1, 1), point(2, 2)).doubt()).contains("the order may be chance");
    assertThat(sweep(point(1, 1, 2)).doubt()).isEmpty();
  }
}
