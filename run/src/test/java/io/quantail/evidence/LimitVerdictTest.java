package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.quantail.evidence.EvidenceException.Kind;
import io.quantail.evidence.LimitVerdict.Verdict;
import io.quantail.risk.EmpiricalCvar;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The verdict on a limit, windows and years. */
class LimitVerdictTest {
  private static final double[] RETURNS = ReturnProcess.FAT.draw("verdict-cases", 0, 1_000);

  @Test
  void shouldDecideByTheInterval() {
    LimitVerdict far = LimitVerdict.ofBars(RETURNS, 0.05, -9, 1_000, 1);
    assertThat(far.verdict()).isEqualTo(Verdict.KEPT);
    assertThat(far.studentised()).isTrue();
    assertThat(far.interval().contains(far.estimate().cvar())).isTrue();
    assertThat(far.blockLength()).isGreaterThanOrEqualTo(Math.sqrt(1_000));
    assertThat(LimitVerdict.ofBars(RETURNS, 0.05, -1, 1_000, 1).verdict())
        .isEqualTo(Verdict.BROKEN);
    double point = far.estimate().cvar();
    assertThat(LimitVerdict.ofBars(RETURNS, 0.05, point, 1_000, 1).verdict())
        .isEqualTo(Verdict.UNDECIDED);
    assertThat(LimitVerdict.ofIndependent(RETURNS, 0.05, -1, 1).blockLength()).isEqualTo(1);
  }

  @Test
  void shouldNotDecideOnAShortTail() {
    LimitVerdict verdict = LimitVerdict.ofBars(Arrays.copyOf(RETURNS, 180), 0.05, -100, 1_000, 1);
    assertThat(verdict.estimate().tailCount()).isEqualTo(9);
    assertThat(verdict.verdict()).isEqualTo(Verdict.UNDECIDED);
  }

  @Test
  void shouldCallAFlatAccountKept() {
    LimitVerdict flat = LimitVerdict.ofBars(new double[300], 0.05, -0.01, 100, 1);
    assertThat(flat.verdict()).isEqualTo(Verdict.KEPT);
    assertThat(flat.studentised()).isFalse();
    assertThat(flat.interval()).isEqualTo(new ConfidenceInterval(0, 0));
  }

  @Test
  void shouldUsePercentilesIfAResampleHasNoLoss() {
    double[] gains = new double[300];
    Arrays.setAll(gains, t -> t % 100 == 0 ? -0.01 : 0.01 * (1 + t % 3));
    LimitVerdict verdict = LimitVerdict.ofBars(gains, 0.05, -0.02, 500, 1);
    assertThat(verdict.studentised()).isFalse();
    assertThat(verdict.verdict()).isEqualTo(Verdict.KEPT);
  }

  @Test
  void shouldRefuseTooFewAndNonFiniteReturns() {
    assertThatThrownBy(() -> LimitVerdict.ofBars(new double[29], 0.05, -1, 1))
        .isInstanceOfSatisfying(
            EvidenceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_FEW_RETURNS))
        .hasMessageContaining("29 values, at least 30");
    double[] broken = RETURNS.clone();
    broken[17] = Double.NaN;
    assertThatThrownBy(() -> LimitVerdict.ofBars(broken, 0.05, -1, 1))
        .isInstanceOfSatisfying(
            EvidenceException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NON_FINITE_INPUT))
        .hasMessageContaining("value 17 of 1000")
        .hasMessageNotContaining("NaN");
  }

  @Test
  void shouldFindTheWorstWindowOfASlowLoop() {
    double[] rounded = Arrays.stream(RETURNS).map(value -> Math.rint(4 * value) / 4).toArray();
    RollingCvar rolling = RollingCvar.of(rounded, 0.05, 50, -2.5).orElseThrow();
    double worst = 0;
    int last = -1;
    int beyond = 0;
    for (int to = 50; to <= rounded.length; to++) {
      double[] window = Arrays.copyOfRange(rounded, to - 50, to);
      double cvar = EmpiricalCvar.empirical(window, 0.05, 0).cvar();
      beyond += cvar < -2.5 ? 1 : 0;
      if (cvar < worst) {
        worst = cvar;
        last = to - 1;
      }
    }
    assertThat(rolling.windows()).isEqualTo(951);
    assertThat(rolling.worst()).isCloseTo(worst, within(1e-12));
    assertThat(rolling.worstLast()).isEqualTo(last);
    assertThat(rolling.fractionBeyond()).isCloseTo(beyond / 951.0, within(1e-12));
    assertThat(RollingCvar.of(Arrays.copyOf(rounded, 49), 0.05, 50, -2.5)).isEmpty();
  }
}
