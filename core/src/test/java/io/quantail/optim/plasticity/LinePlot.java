package io.quantail.optim.plasticity;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Draws a few lines with their uncertainty as an SVG picture. */
final class LinePlot {
  private static final List<String> COLOURS = List.of("#0072b2", "#d55e00", "#009e73", "#777777");
  private static final int LEFT = 60;
  private static final int TOP = 40;
  private static final int WIDTH = 520;
  private static final int HEIGHT = 300;
  private static final int LINE = 18;

  /**
   * A line.
   *
   * @param points mean and error by place
   */
  record Series(String label, List<double[]> points) {}

  private final String title;
  private final String across;
  private final double low;
  private final double high;
  private final List<Series> series = new ArrayList<>();

  LinePlot(String title, String across, double low, double high) {
    this.title = title;
    this.across = across;
    this.low = low;
    this.high = high;
  }

  void add(Series line) {
    series.add(line);
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 760 400' font-family='sans-serif'"
            + " font-size='13'>\n<rect width='760' height='400' fill='white'/>\n");
    text(svg, LEFT, TOP - LINE, title);
    text(svg, LEFT, TOP + HEIGHT + 2 * LINE + 4, across);
    for (int i = 0; i <= 5; i++) {
      double value = low + (high - low) * i / 5;
      svg.append(
          format("<path d='M%d %.1fH%d' stroke='#dddddd'/>\n", LEFT, y(value), LEFT + WIDTH));
      text(svg, LEFT - 40, y(value) + 4, format("%.2f", value));
    }
    int last = series.get(0).points().size();
    for (int place = 0; place < last; place += 10) {
      text(svg, x(place, last) - 4, TOP + HEIGHT + LINE, "" + (place + 1));
    }
    for (int i = 0; i < series.size(); i++) {
      draw(svg, series.get(i), COLOURS.get(i));
      double height = TOP + LINE * (i + 1);
      svg.append(
          format(
              "<path d='M%d %.1fh20' stroke='%s' stroke-width='3'/>\n",
              LEFT + WIDTH + 10, height - 4, COLOURS.get(i)));
      text(svg, LEFT + WIDTH + 36, height, series.get(i).label());
    }
    return svg.append("</svg>\n").toString();
  }

  private void draw(StringBuilder svg, Series line, String colour) {
    int count = line.points().size();
    StringBuilder above = new StringBuilder();
    StringBuilder below = new StringBuilder();
    StringBuilder middle = new StringBuilder();
    for (int i = 0; i < count; i++) {
      double[] point = line.points().get(i);
      above.append(format("%.1f,%.1f ", x(i, count), y(point[0] + point[1])));
      below.insert(0, format("%.1f,%.1f ", x(i, count), y(point[0] - point[1])));
      middle.append(format("%.1f,%.1f ", x(i, count), y(point[0])));
    }
    svg.append(format("<polygon points='%s%s' fill='%s' opacity='0.2'/>\n", above, below, colour));
    svg.append(
        format(
            "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>\n", middle, colour));
  }

  private static double x(int place, int count) {
    return LEFT + (double) WIDTH * place / Math.max(1, count - 1);
  }

  private double y(double value) {
    double inside = Math.min(Math.max(value, low), high);
    return TOP + HEIGHT * (high - inside) / (high - low);
  }

  private static void text(StringBuilder svg, double x, double y, String text) {
    svg.append(format("<text x='%.1f' y='%.1f'>%s</text>\n", x, y, text));
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
