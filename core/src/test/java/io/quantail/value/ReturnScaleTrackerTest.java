package io.quantail.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.ReturnScaleConfig;
import io.quantail.state.StateMap;
import io.quantail.testing.Requirement;
import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

@Requirement("RET-1")
class ReturnScaleTrackerTest {
  private static final Offset<Double> CLOSE = within(1e-12);

  @Test
  void shouldStartWithRawUnits() {
    ReturnScale scale = zScore(0.2, 0.5).scale();
    assertThat(scale.normalize(3.5)).isEqualTo(3.5);
    assertThat(scale.denormalize(3.5)).isEqualTo(3.5);
  }

  @Test
  void shouldTakeTheFirstRolloutAsItIs() {
    ReturnScale scale = zScore(0.2, 0.5).commit(new double[] {90, 110, 90, 110});
    assertThat(scale.mean()).isCloseTo(100, CLOSE);
    assertThat(scale.std()).isCloseTo(10, CLOSE);
    assertThat(scale.normalize(new double[] {90, 110}))
        .containsExactly(new double[] {-1, 1}, CLOSE);
  }

  @Test
  void shouldNotMoveBeforeTheCommit() {
    ReturnScaleTracker statistics = zScore(1, 1);
    statistics.commit(new double[] {-1, 1});
    ReturnScale frozen = statistics.scale();
    ReturnScale next = statistics.commit(new double[] {-1.5, 1.5});
    assertThat(frozen).isEqualTo(new ReturnScale(0, 1));
    assertThat(statistics.scale()).isSameAs(next).isNotEqualTo(frozen);
    assertThat(statistics.commits()).isEqualTo(2);
  }

  @Test
  void shouldLimitHowFarOneRolloutMovesTheScale() {
    ReturnScaleTracker statistics = zScore(1, 0.5);
    statistics.commit(new double[] {-1, 1});
    ReturnScale up = statistics.commit(new double[] {999, 1001});
    assertThat(up.mean()).isCloseTo(0.5, CLOSE);
    assertThat(up.std()).isCloseTo(1, CLOSE);
    ReturnScale wide = statistics.commit(new double[] {-100, 101});
    assertThat(wide.std()).isCloseTo(1.5, CLOSE);
  }

  @Test
  @Requirement("RET-3")
  void shouldNotLetOutliersWidenTheRobustSpread() {
    // Distances from the median 3 are 2, 1, 0, 1 and 997: the median is 1.
    double[] returns = {1, 2, 3, 4, 1000};
    ReturnScaleConfig robust =
        new ReturnScaleConfig(
            ReturnScaleConfig.Mode.Z_SCORE, ReturnScaleConfig.Spread.MAD, 1, 1e-6, 0, 1, 1e6);

    assertThat(new ReturnScaleTracker(robust).commit(returns).std()).isCloseTo(1.4826, CLOSE);
    assertThat(zScore(1, 1).commit(returns).std()).isGreaterThan(300);
  }

  @Test
  @Requirement("RET-3")
  void shouldNotFallFarBelowTheUsualSpread() {
    ReturnScaleConfig adaptive =
        new ReturnScaleConfig(
            ReturnScaleConfig.Mode.Z_SCORE, ReturnScaleConfig.Spread.STD, 1, 1e-6, 0.5, 100, 1e6);
    ReturnScaleTracker statistics = new ReturnScaleTracker(adaptive);
    statistics.commit(new double[] {-1, 1});
    assertThat(statistics.commit(new double[] {-0.01, 0.01}).std()).isCloseTo(0.5, CLOSE);
    // The usual spread has moved by a hundredth of the way from 1 to 0.5.
    assertThat(statistics.commit(new double[] {-0.01, 0.01}).std()).isCloseTo(0.4975, CLOSE);

    StateMap state = new StateMap();
    statistics.save(state);
    ReturnScaleTracker other = new ReturnScaleTracker(adaptive);
    other.load(state);
    double[] next = {-0.001, 0.001};
    assertThat(other.commit(next)).isEqualTo(statistics.commit(next));
  }

  @Test
  void shouldKeepTheSpreadAboveFloorAndCap() {
    assertThat(new ReturnScaleTracker(config(0.25, 1000)).commit(new double[] {7, 7, 7}).std())
        .isEqualTo(0.25);
    assertThat(new ReturnScaleTracker(config(1e-9, 50)).commit(new double[] {7, 7, 7}).std())
        .isCloseTo(1.0 / 50, CLOSE);
  }

  private static ReturnScaleConfig config(double floor, double cap) {
    return new ReturnScaleConfig(
        ReturnScaleConfig.Mode.Z_SCORE, ReturnScaleConfig.Spread.STD, 0.2, floor, 0, 0.5, cap);
  }

  @Test
  void shouldDivideOnlyInScaleMode() {
    ReturnScaleTracker statistics = scaleMode();
    double[] returns = new double[101];
    Arrays.setAll(returns, i -> i % 2 == 0 ? i : -i);
    ReturnScale scale = statistics.commit(returns);
    assertThat(scale.mean()).isZero();
    assertThat(scale.std()).isCloseTo(99, CLOSE);
  }

  @Test
  void shouldKeepScaleModeWithinItsBounds() {
    assertThat(scaleMode().commit(new double[] {1e9}).std()).isEqualTo(1e3);
    assertThat(scaleMode().commit(new double[] {0}).std()).isEqualTo(1e-3);
  }

  private static ReturnScaleTracker scaleMode() {
    return new ReturnScaleTracker(
        new ReturnScaleConfig(
            ReturnScaleConfig.Mode.SCALE, ReturnScaleConfig.Spread.STD, 0.2, 1e-9, 0, 0.5, 1e9));
  }

  @Test
  void shouldContinueFromASavedState() {
    ReturnScaleTracker original = zScore(0.3, 0.5);
    original.commit(new double[] {1, 2, 3});
    original.commit(new double[] {2, 3, 5});
    StateMap state = new StateMap();
    original.save(state);
    ReturnScaleTracker restored = zScore(0.3, 0.5);
    restored.load(state);
    state.requireAllRead();
    assertThat(restored.scale()).isEqualTo(original.scale());
    double[] more = {-4, 8, 1};
    assertThat(restored.commit(more)).isEqualTo(original.commit(more));
  }

  @Test
  void shouldRefuseAnImpossibleScale() {
    assertThatThrownBy(() -> new ReturnScale(0, 0)).hasMessageContaining("(0.0, 0.0)");
    assertThatThrownBy(() -> new ReturnScale(Double.NaN, 1)).hasMessageContaining("NaN");
  }

  private static ReturnScaleTracker zScore(double beta, double step) {
    return new ReturnScaleTracker(
        new ReturnScaleConfig(
            ReturnScaleConfig.Mode.Z_SCORE,
            ReturnScaleConfig.Spread.STD,
            beta,
            1e-6,
            0,
            step,
            1e6));
  }
}
