package io.quantail.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.evidence.LimitVerdict.Verdict;
import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often the verdict on a limit is wrong. */
class LimitVerdictRatesTest {
  private static final double ALPHA = 0.05;

  /** CVaR of Student's t with 4 degrees of freedom: -f(q) (4 + q^2) / (3 alpha), q its quantile. */
  private static double fatCvar() {
    double q = -2.131846786326650;
    double density = 3.0 / 8 * Math.pow(1 + q * q / 4, -2.5);
    return -density * (4 + q * q) / (3 * ALPHA);
  }

  /** Fractions of series. */
  private record Rates(double kept, double broken) {}

  /**
   * Rates for each multiple, from the same series.
   *
   * @param multiples true CVaR over limit
   */
  private static Rates[] rates(
      ReturnProcess process, int n, double cvar, double[] multiples, int series, int resamples) {
    int[] kept = new int[multiples.length];
    int[] broken = new int[multiples.length];
    for (int i = 0; i < series; i++) {
      double[] returns = process.draw("verdict" + n, i, n);
      LimitVerdict result = LimitVerdict.ofBars(returns, ALPHA, cvar, resamples, i);
      for (int m = 0; m < multiples.length; m++) {
        Verdict verdict =
            Verdict.of(cvar / multiples[m], result.interval(), result.estimate().tailCount());
        kept[m] += verdict == Verdict.KEPT ? 1 : 0;
        broken[m] += verdict == Verdict.BROKEN ? 1 : 0;
      }
    }
    Rates[] rates = new Rates[multiples.length];
    for (int m = 0; m < rates.length; m++) {
      rates[m] = new Rates((double) kept[m] / series, (double) broken[m] / series);
      System.out.printf(
          "%s, n %d, true CVaR %.4f = %.2f x limit, %d series of %d resamples: kept %.1f %%, broken"
              + " %.1f %%%n",
          process,
          n,
          cvar,
          multiples[m],
          series,
          resamples,
          100 * rates[m].kept(),
          100 * rates[m].broken());
    }
    return rates;
  }

  @Test
  @Requirement("EVID-8")
  void shouldRarelyDecideAgainstTheTruth() {
    Rates[] rates = rates(ReturnProcess.FAT, 1_000, fatCvar(), new double[] {1, 1.5}, 200, 200);
    // 5 %, 10 % and 95 %, each with 3 standard deviations of 200 series.
    assertThat(rates[0].broken()).isLessThanOrEqualTo(0.096);
    assertThat(rates[0].kept()).isLessThanOrEqualTo(0.164);
    assertThat(rates[1].broken()).isGreaterThanOrEqualTo(0.904);
  }

  @Test
  @Tag("learning")
  @Requirement("EVID-8")
  void shouldMeasureTheRatesInManySeries() {
    double[] multiples = {1, 1.5, 2 / 3.0};
    Rates[] fat = rates(ReturnProcess.FAT, 1_000, fatCvar(), multiples, 1_000, 1_000);
    assertThat(fat[0].broken()).isLessThanOrEqualTo(0.05);
    assertThat(fat[0].kept()).isLessThanOrEqualTo(0.10);
    assertThat(fat[1].broken()).isGreaterThanOrEqualTo(0.95);
    for (ReturnProcess process :
        new ReturnProcess[] {ReturnProcess.GARCH, ReturnProcess.FAT_GARCH, ReturnProcess.REGIMES}) {
      double cvar = process.trueCvar(ALPHA, 20_000_000);
      for (int n : new int[] {500, 1_000, 2_500}) {
        rates(process, n, cvar, multiples, 1_000, 500);
      }
    }
  }
}
