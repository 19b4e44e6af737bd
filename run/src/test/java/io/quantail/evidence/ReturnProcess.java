package io.quantail.evidence;

import io.quantail.math.Percentiles;
import io.quantail.random.RandomStream;
import io.quantail.risk.EmpiricalCvar;

/** Random series of returns with known properties. */
enum ReturnProcess {
  /** Independent, normal, deviation 1. */
  NORMAL {
    @Override
    double[] draw(RandomStream random, int n) {
      double[] returns = new double[n];
      for (int t = 0; t < n; t++) {
        returns[t] = random.nextGaussian();
      }
      return returns;
    }
  },

  /** Independent, Student's t with 4 degrees of freedom. */
  FAT {
    @Override
    double[] draw(RandomStream random, int n) {
      double[] returns = new double[n];
      for (int t = 0; t < n; t++) {
        returns[t] = student4(random);
      }
      return returns;
    }
  },

  /** GARCH(1,1) with 0.08 and 0.90, normal innovations, variance 1. */
  GARCH {
    @Override
    double[] draw(RandomStream random, int n) {
      return garch(random, n, false);
    }
  },

  /** The same with innovations of Student's t with 4 degrees of freedom, scaled to variance 1. */
  FAT_GARCH {
    @Override
    double[] draw(RandomStream random, int n) {
      return garch(random, n, true);
    }
  },

  /**
   * Normal with deviation 0.75, or 2 in a state that is entered with probability 0.0075 and left
   * with 0.03: in 20 % of the bars.
   */
  REGIMES {
    @Override
    double[] draw(RandomStream random, int n) {
      double[] returns = new double[n];
      boolean wild = random.nextDouble() < 0.2;
      for (int t = 0; t < n; t++) {
        returns[t] = (wild ? 2 : 0.75) * random.nextGaussian();
        wild = wild ? random.nextDouble() >= 0.03 : random.nextDouble() < 0.0075;
      }
      return returns;
    }
  };

  private static final int BURN_IN = 500;

  abstract double[] draw(RandomStream random, int n);

  /** The series of one number of an experiment. */
  double[] draw(String experiment, int index, int n) {
    return draw(RandomStream.of(1, experiment + name(), index), n);
  }

  /** CVaR of a long series. */
  double trueCvar(double alpha, int n) {
    double[] returns = draw("truth", 0, n);
    double sum = 0;
    double[] tail = Percentiles.of(returns).lowest(EmpiricalCvar.tailCount(n, alpha));
    for (double value : tail) {
      sum += value;
    }
    return sum / tail.length;
  }

  private static double student4(RandomStream random) {
    double chi2 = -2 * Math.log((1 - random.nextDouble()) * (1 - random.nextDouble()));
    return random.nextGaussian() / Math.sqrt(chi2 / 4);
  }

  private static double[] garch(RandomStream random, int n, boolean fat) {
    double[] returns = new double[n];
    double variance = 1;
    for (int t = -BURN_IN; t < n; t++) {
      double innovation = fat ? student4(random) / Math.sqrt(2) : random.nextGaussian();
      double value = Math.sqrt(variance) * innovation;
      variance = 0.02 + 0.08 * value * value + 0.90 * variance;
      if (t >= 0) {
        returns[t] = value;
      }
    }
    return returns;
  }
}
