package io.quantail.config;

/**
 * A coefficient as a function of the fraction {@code p} of a run that is done.
 *
 * <pre>
 *   constant:  from
 *   linear:    from + (to - from) p
 *   cosine:    to + (from - to) / 2 (1 + cos(pi p))
 * </pre>
 *
 * In a configuration a constant is a number; another schedule is written {@code {from: 0.2, to: 0,
 * shape: linear}}. A schedule with equal ends is a constant, so that equal schedules are written
 * alike. The ranges of both ends belong to the setting. {@code CoefficientScheduleTest} pins it.
 *
 * @param from value at the start of the run
 * @param to value at the end of the run, after {@code training.steps}
 * @param shape course between them
 */
public record CoefficientSchedule(double from, double to, Shape shape) {

  /** The course of a value between two ends. */
  public enum Shape {
    /** The ends are equal. */
    CONSTANT {
      @Override
      public double between(double from, double to, double fraction) {
        return from;
      }
    },
    /** A straight line. */
    LINEAR {
      @Override
      public double between(double from, double to, double fraction) {
        return from + (to - from) * fraction;
      }
    },
    /**
     * Half a cosine wave.
     *
     * <p>See: Loshchilov, Hutter, "SGDR: Stochastic gradient descent with warm restarts", 2016,
     * arXiv:1608.03983; here without restarts.
     */
    COSINE {
      @Override
      public double between(double from, double to, double fraction) {
        return to + (from - to) / 2 * (1 + Math.cos(Math.PI * fraction));
      }
    };

    /** The value at a fraction in [0, 1] of the way from one end to the other. */
    public abstract double between(double from, double to, double fraction);
  }

  public CoefficientSchedule {
    if (from == to || Double.compare(from, to) == 0) {
      shape = Shape.CONSTANT;
    } else if (shape == Shape.CONSTANT) {
      throw new IllegalArgumentException(
          "a constant schedule needs equal ends, were " + from + " and " + to);
    }
  }

  /** The same value throughout a run. */
  public static CoefficientSchedule constant(double value) {
    return new CoefficientSchedule(value, value, Shape.CONSTANT);
  }

  /** Whether the value never changes. */
  public boolean isConstant() {
    return shape == Shape.CONSTANT;
  }

  /** Whether this is the given value throughout a run. */
  public boolean is(double value) {
    return from == value && to == value;
  }

  /**
   * The value at a moment of the run.
   *
   * @param progress fraction of the run that is done, not negative; above 1 counts as 1
   */
  public double at(double progress) {
    if (!(progress >= 0)) {
      throw new IllegalArgumentException("progress must not be negative, was " + progress);
    }
    return shape.between(from, to, Math.min(progress, 1));
  }

  /** As it is written in a configuration: {@code 0.2} or {@code {from: 0.2, to: 0, ...}}. */
  @Override
  public String toString() {
    return isConstant()
        ? Check.plain(from)
        : "{from: %s, to: %s, shape: %s}"
            .formatted(Check.plain(from), Check.plain(to), SettingNames.written(shape));
  }
}
