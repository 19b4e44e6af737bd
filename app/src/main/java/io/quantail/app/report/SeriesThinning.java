package io.quantail.app.report;

/**
 * Shortens long series for a page. Each range of bars keeps its lowest and its highest value, in
 * the order in which they came, so that no spike is lost; they are drawn at the first and the last
 * bar of the range. The first and the last value of a series are kept too.
 *
 * @param size number of values of the series
 * @param range number of values per range; 1 keeps all
 */
record SeriesThinning(int size, int range) {
  private static final int MOST = 2_000;

  static SeriesThinning of(int size) {
    return new SeriesThinning(size, size <= MOST ? 1 : (2 * size + MOST - 1) / MOST);
  }

  int points() {
    return range == 1 ? size : 2 * ranges() + 2;
  }

  private int ranges() {
    return (size + range - 1) / range;
  }

  /** The range that a value belongs to. */
  int rangeOf(int index) {
    return index / range;
  }

  double[] times(long[] times) {
    double[] thin = new double[points()];
    for (int point = 0; point < thin.length; point++) {
      thin[point] = times[index(point)];
    }
    return thin;
  }

  double[] positions(double[] positions) {
    double[] thin = new double[points()];
    for (int point = 0; point < thin.length; point++) {
      thin[point] = positions[index(point)];
    }
    return thin;
  }

  /** The values at which a point is drawn: the indices of all, or of the ends of each range. */
  int index(int point) {
    if (range == 1 || point == 0) {
      return point;
    }
    int first = (point - 1) / 2 * range;
    return point % 2 == 1 && first < size ? first : Math.min(size, first + range) - 1;
  }

  double[] values(double[] values) {
    if (range == 1) {
      return values;
    }
    double[] thin = new double[points()];
    thin[0] = values[0];
    for (int i = 0; i < ranges(); i++) {
      int low = i * range;
      int high = low;
      for (int k = low; k < Math.min(size, (i + 1) * range); k++) {
        low = Double.isNaN(values[low]) || values[k] < values[low] ? k : low;
        high = Double.isNaN(values[high]) || values[k] > values[high] ? k : high;
      }
      thin[2 * i + 1] = values[Math.min(low, high)];
      thin[2 * i + 2] = values[Math.max(low, high)];
    }
    thin[thin.length - 1] = values[size - 1];
    return thin;
  }

  /** A note for captions; empty when every bar is shown. */
  String note() {
    return range == 1
        ? ""
        : " Of each %s bars the lowest and the highest value are drawn."
            .formatted(NumberText.count(range));
  }
}
