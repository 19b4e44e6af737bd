package io.quantail.app.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A chart that {@code report.js} draws; written into the page as JSON.
 *
 * @param group charts of one group share pointer and zoom
 * @param x horizontal axis
 * @param y vertical axis
 * @param logarithmic whether the reader may change the vertical axis to a logarithmic one
 * @param series lines, bars or points
 * @param marks lines across the chart
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record Chart(
    String group, Axis x, Axis y, boolean logarithmic, List<Series> series, List<Mark> marks) {

  /**
   * An axis of a chart.
   *
   * @param type {@code time}, {@code value}, {@code log} or {@code category}
   * @param format of the numbers in {@code report.js}
   * @param name with its unit; may be empty
   * @param categories names along a category axis
   */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  record Axis(String type, String format, String name, List<String> categories) {
    static Axis time() {
      return new Axis("time", "time", "", List.of());
    }

    static Axis value(String format, String name) {
      return new Axis("value", format, name, List.of());
    }

    /** A logarithmic axis, for positive values. */
    static Axis logarithm(String format, String name) {
      return new Axis("log", format, name, List.of());
    }

    static Axis categories(String name, List<String> categories) {
      return new Axis("category", "text", name, categories);
    }
  }

  /**
   * One series of a chart.
   *
   * @param name in the legend
   * @param tone name of its colour: a policy, or a number for one of many
   * @param shape {@code line}, {@code step}, {@code area}, {@code stack}, {@code bar}, {@code
   *     points} on a line or {@code dots} without
   * @param hidden whether it is shown only after a click on its name
   * @param x positions; null for a category axis
   * @param y values
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Series(
      String name, String tone, String shape, boolean hidden, double @Nullable [] x, double[] y) {
    static Series line(String name, String tone, double[] x, double[] y) {
      return new Series(name, tone, "line", false, x, y);
    }

    static Series bars(String name, String tone, double[] y) {
      return new Series(name, tone, "bar", false, null, y);
    }

    Series shaped(String otherShape) {
      return new Series(name, tone, otherShape, hidden, x, y);
    }

    Series hiddenAtFirst() {
      return new Series(name, tone, shape, true, x, y);
    }
  }

  /**
   * A line across a chart.
   *
   * @param axis {@code x} or {@code y}
   * @param at position on the axis
   * @param name label of the line
   * @param tone name of its colour
   */
  record Mark(String axis, double at, String name, String tone) {}

  static Chart of(Axis x, Axis y, List<Series> series) {
    return new Chart("", x, y, false, series, List.of());
  }

  Chart inGroup(String other) {
    return new Chart(other, x, y, logarithmic, series, marks);
  }

  Chart withLogarithm() {
    return new Chart(group, x, y, true, series, marks);
  }

  Chart marked(List<Mark> others) {
    return new Chart(group, x, y, logarithmic, series, others);
  }
}
