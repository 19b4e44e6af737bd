package io.quantail.evidence;

import io.quantail.evidence.EvidenceException.Kind;
import io.quantail.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What right forecasts would have shown: the depth Z2 and the likelihood ratio of conditional
 * coverage of paths drawn from the forecasts themselves.
 *
 * <p>{@code Z2 = 1 - sum y I / (n alpha CVaR)}: 0 on average if the forecasts are right, negative
 * if the tail is deeper. Its p-value is {@code (1 + #{Z2* <= Z2}) / (paths + 1)}, that of
 * conditional coverage the same with {@code LR* >= LR}. The number of bar t in path m has the
 * address (seed, "tail-test", m, t), so all levels share the paths. Forecasts that differ by a
 * factor share one law, which can then be used for many series of the same length.
 *
 * <p>See: Acerbi, Szekely, "Backtesting Expected Shortfall", 2014. Pinned by the vector {@code
 * acerbi_szekely_simulated} and {@code TailTestRatesTest}.
 *
 * @param alpha level
 * @param depths Z2 of each path
 * @param criticalDepth lowest of these with at least 5 % of the paths at or below it
 * @param conditionalRatios LR_cc of each path
 */
public record TailSimulation(
    double alpha, double[] depths, double criticalDepth, double[] conditionalRatios) {
  /** Most paths of a test. */
  public static final int PATHS = 10_000;

  private static final int FEWEST_PATHS = 1_000;
  private static final int BARS_OF_MOST = 10_000; // longer series have fewer paths

  /** Uniform numbers in [0, 1) of one path. */
  interface Paths {
    int count();

    void fill(int path, double[] uniforms);
  }

  /** Draws the paths of a test; one simulation for each level. */
  public static List<TailSimulation> of(
      List<? extends BarForecast> forecasts, double[] alphas, long seed) {
    return of(forecasts, alphas, new SeededPaths(paths(forecasts.size()), seed));
  }

  private static int paths(int bars) {
    long affordable = (long) PATHS * BARS_OF_MOST / Math.max(1, bars);
    return (int) Math.max(FEWEST_PATHS, Math.min(PATHS, affordable));
  }

  static List<TailSimulation> of(
      List<? extends BarForecast> forecasts, double[] alphas, Paths paths) {
    int n = forecasts.size();
    Level[] levels = new Level[alphas.length];
    double highest = 0;
    for (int i = 0; i < levels.length; i++) {
      levels[i] = new Level(forecasts, alphas[i], paths.count());
      highest = Math.max(highest, levels[i].highest);
    }
    double[] uniforms = new double[n];
    for (int path = 0; path < paths.count(); path++) {
      paths.fill(path, uniforms);
      for (int t = 0; t < n; t++) {
        if (uniforms[t] <= highest) { // no other draw can be an exceedance
          double drawn = forecasts.get(t).draw(uniforms[t]);
          for (Level level : levels) {
            level.add(t, drawn);
          }
        }
      }
      for (Level level : levels) {
        level.finish(path, n);
      }
    }
    List<TailSimulation> simulations = new ArrayList<>();
    for (Level level : levels) {
      simulations.add(level.simulation());
    }
    return simulations;
  }

  /** Probability that right forecasts show a depth at most as large. */
  public double depthPValue(double depth) {
    return pValue(Arrays.stream(depths).filter(value -> value <= depth).count());
  }

  /** Probability that right forecasts show a ratio at least as large; ties count. */
  public double conditionalPValue(double ratio) {
    double least = ratio - VarCoverage.TIE;
    return pValue(Arrays.stream(conditionalRatios).filter(value -> value >= least).count());
  }

  private double pValue(long beyond) {
    return (1.0 + beyond) / (depths.length + 1);
  }

  /**
   * Z2 of returns.
   *
   * @param var forecast VaR of each bar
   * @param cvar forecast CVaR of each bar
   * @throws EvidenceException if a CVaR is not a loss
   */
  public static double depth(double[] returns, double[] var, double[] cvar, double alpha) {
    requireLosses(cvar, alpha);
    double sum = 0;
    for (int t = 0; t < returns.length; t++) {
      sum += returns[t] <= var[t] ? returns[t] / cvar[t] : 0;
    }
    return 1 - sum / (returns.length * alpha);
  }

  static void requireLosses(double[] cvar, double alpha) {
    for (int t = 0; t < cvar.length; t++) {
      if (!(cvar[t] < 0)) {
        throw new EvidenceException(
            Kind.NO_TAIL_LOSS,
            String.format(
                    Locale.ROOT,
                    "the forecast of bar %d of %d has a CVaR at %s of %s, which is not a loss, so its depth is",
                    t,
                    cvar.length,
                    alpha,
                    cvar[t])
                + " undefined; train the forecast longer or leave out bars without a position");
      }
    }
  }

  /** Sums of one level over the bars of a path. */
  private static final class Level {
    private final double alpha;
    private final double[] var;
    private final double[] cvar;
    private final double highest;
    private final double[] depths;
    private final double[] ratios;

    private double sum;
    private int count;
    private int both;
    private boolean first;
    private int last = -2;

    Level(List<? extends BarForecast> forecasts, double alpha, int paths) {
      this.alpha = alpha;
      var = forecasts.stream().mapToDouble(forecast -> forecast.quantile(alpha)).toArray();
      cvar = forecasts.stream().mapToDouble(forecast -> forecast.cvar(alpha)).toArray();
      requireLosses(cvar, alpha);
      double reached = alpha; // more, where neighbouring quantiles are equal
      for (int t = 0; t < var.length; t++) {
        reached = Math.max(reached, forecasts.get(t).cumulative(var[t]));
      }
      highest = reached;
      depths = new double[paths];
      ratios = new double[paths];
    }

    TailSimulation simulation() {
      double[] sorted = depths.clone();
      Arrays.sort(sorted);
      int rank = Math.max(1, (int) Math.ceil(TailBacktest.SIGNIFICANCE * sorted.length));
      return new TailSimulation(alpha, depths, sorted[rank - 1], ratios);
    }

    void add(int t, double drawn) {
      if (drawn <= var[t]) {
        sum += drawn / cvar[t];
        count++;
        both += last == t - 1 ? 1 : 0;
        first |= t == 0;
        last = t;
      }
    }

    void finish(int path, int n) {
      depths[path] = 1 - sum / (n * alpha);
      ratios[path] = Exceedances.of(n, count, both, first, last == n - 1).conditionalRatio(alpha);
      sum = 0;
      count = 0;
      both = 0;
      first = false;
      last = -2;
    }
  }

  record SeededPaths(int count, long seed) implements Paths {
    @Override
    public void fill(int path, double[] uniforms) {
      RandomStream.of(seed, "tail-test", path).nextDoubles(uniforms);
    }
  }
}
