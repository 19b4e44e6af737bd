package io.quantail;

import io.quantail.config.CoefficientSchedule;
import io.quantail.config.CoefficientSchedule.Shape;
import org.jspecify.annotations.Nullable;

/** A coefficient over the course of a training. */
public final class Schedule {
  private final CoefficientSchedule course;

  private Schedule(CoefficientSchedule course) {
    this.course = course;
  }

  /**
   * Keeps a value throughout a training.
   *
   * @param value the value
   * @return the schedule
   */
  public static Schedule constant(double value) {
    return new Schedule(CoefficientSchedule.constant(finite(value)));
  }

  /**
   * Changes a value along a straight line.
   *
   * @param from value at the start
   * @param to value at the end
   * @return the schedule
   */
  public static Schedule linear(double from, double to) {
    return new Schedule(new CoefficientSchedule(finite(from), finite(to), Shape.LINEAR));
  }

  /**
   * Changes a value along half a cosine wave, slowly at both ends.
   *
   * @param from value at the start
   * @param to value at the end
   * @return the schedule
   */
  public static Schedule cosine(double from, double to) {
    return new Schedule(new CoefficientSchedule(finite(from), finite(to), Shape.COSINE));
  }

  private static double finite(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("a schedule needs finite values, was " + value);
    }
    return value;
  }

  static Schedule of(CoefficientSchedule course) {
    return new Schedule(course);
  }

  CoefficientSchedule course() {
    return course;
  }

  /**
   * Reads the value.
   *
   * @param done fraction of the training that is done, from 0; above 1 counts as 1
   * @return the value
   */
  public double at(double done) {
    return course.at(done);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Schedule schedule && course.equals(schedule.course);
  }

  @Override
  public int hashCode() {
    return course.hashCode();
  }

  @Override
  public String toString() {
    return course.toString();
  }
}
