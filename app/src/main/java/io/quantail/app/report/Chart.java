package io.quantail.app.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
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
 * @param panels further vertical axes, each in a panel of its own below the first
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record Chart(
    String group,
    Axis x,
    Axis y,
    boolean logarithmic,
    List<Series> series,
    List<Mark> marks,
    List<Axis> panels) {

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
   * @param shape {@code line}, {@code step}, {@code area}, {@code ribbon}, {@code band}, {@code
   *     stack}, {@code bar}, {@code points} on a line, {@code dots} or {@code dust} without, {@code
   *     up} or {@code down} for triangles
   * @param hidden whether it is shown only after a click on its name
   * @param panel 0 for the first, 1 for the one below it
   * @param x positions; null for a category axis
   * @param y values; lower bounds of a band
   * @param high upper bounds of a band; null for other shapes
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Series(
      String name,
      String tone,
      String shape,
      boolean hidden,
      int panel,
      @JsonSerialize(using = PageData.SharedPositions.class) double @Nullable [] x,
      double[] y,
      double @Nullable [] high) {
    static Series line(String name, String tone, double[] x, double[] y) {
      return new Series(name, tone, "line", false, 0, x, y, null);
    }

    static Series bars(String name, String tone, double[] y) {
      return new Series(name, tone, "bar", false, 0, null, y, null);
    }

    static Series band(String name, String tone, double[] x, double[] low, double[] high) {
      return new Series(name, tone, "band", false, 0, x, low, high);
    }

    Series shaped(String otherShape) {
      return new Series(name, tone, otherShape, hidden, panel, x, y, high);
    }

    Series hiddenAtFirst() {
      return new Series(name, tone, shape, true, panel, x, y, high);
    }

    Series inPanel(int other) {
      return new Series(name, tone, shape, hidden, other, x, y, high);
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
    return new Chart("", x, y, false, series, List.of(), List.of());
  }

  Chart inGroup(String other) {
    return new Chart(other, x, y, logarithmic, series, marks, panels);
  }

  Chart withLogarithm() {
    return new Chart(group, x, y, true, series, marks, panels);
  }

  Chart marked(List<Mark> others) {
    return new Chart(group, x, y, logarithmic, series, others, panels);
  }

  Chart withPanels(Axis... others) {
    return new Chart(group, x, y, logarithmic, series, marks, List.of(others));
  }
}
