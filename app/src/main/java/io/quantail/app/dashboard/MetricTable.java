package io.quantail.app.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Metrics by column: rows of an update, columns of a metric, which need not have a value in every
 * row. Not safe for use by several threads.
 */
final class MetricTable {
  private static final int MOST_COLUMNS = 5_000;

  private final Map<String, Column> columns = new LinkedHashMap<>();
  private final List<Column> order = new ArrayList<>();
  private long[] updates = new long[64];
  private long[] steps = new long[64];
  private int rows;
  private long values;

  /** One metric: rows in which it has a value, and the values. */
  static final class Column {
    private final String name;
    private final byte[] written; // its name and a comma, as a log has it
    private final int place;
    private int[] rows = new int[64];
    private double[] values = new double[64];
    private int size;

    private Column(String name, int place) {
      this.name = name;
      this.written = (name + ",").getBytes(StandardCharsets.ISO_8859_1);
      this.place = place;
    }

    byte[] written() {
      return written;
    }

    String name() {
      return name;
    }

    /** Where it stands among the columns of its table. */
    int place() {
      return place;
    }

    int size() {
      return size;
    }

    int row(int index) {
      return rows[index];
    }

    double value(int index) {
      return values[index];
    }

    private void add(int row, double value) {
      if (size > 0 && rows[size - 1] == row) {
        values[size - 1] = value;
        return;
      }
      if (size == rows.length) {
        rows = Arrays.copyOf(rows, 2 * size);
        values = Arrays.copyOf(values, 2 * size);
      }
      rows[size] = row;
      values[size++] = value;
    }
  }

  /** Begins a row, or goes on with the last one; false if it would be out of order. */
  boolean row(long update, long stepsSoFar) {
    if (rows > 0 && updates[rows - 1] == update) {
      return true;
    }
    if (rows > 0 && update < updates[rows - 1]) {
      return false;
    }
    if (rows == updates.length) {
      updates = Arrays.copyOf(updates, 2 * rows);
      steps = Arrays.copyOf(steps, 2 * rows);
    }
    updates[rows] = update;
    steps[rows++] = stepsSoFar;
    return true;
  }

  /** Adds to the last row. */
  void add(Column column, double value) {
    column.add(rows - 1, value);
    values++;
  }

  /** The column of a metric, new if need be; null when there are unreasonably many. */
  Column column(String name) {
    Column column = columns.get(name);
    if (column == null && order.size() < MOST_COLUMNS) {
      column = new Column(name, order.size());
      columns.put(name, column);
      order.add(column);
    }
    return column;
  }

  /** The column at a place, null beyond the last. */
  Column at(int place) {
    return place < order.size() ? order.get(place) : null;
  }

  /** The column of a metric, null if it never had a value. */
  Column find(String name) {
    return columns.get(name);
  }

  List<Column> columns() {
    return order;
  }

  int rows() {
    return rows;
  }

  /** How many values have been added in all. */
  long values() {
    return values;
  }

  long update(int row) {
    return updates[row];
  }

  long steps(int row) {
    return steps[row];
  }

  /** All values of one row, by name. */
  Map<String, Double> values(int row) {
    Map<String, Double> found = new TreeMap<>();
    for (Column column : order) {
      int index = Arrays.binarySearch(column.rows, 0, column.size, row);
      if (index >= 0) {
        found.put(column.name, column.values[index]);
      }
    }
    return found;
  }

  /** Forgets the rows that have gone at least so many steps. */
  void truncate(long firstSteps) {
    while (rows > 0 && steps[rows - 1] >= firstSteps) {
      rows--;
    }
    for (Column column : order) {
      while (column.size > 0 && column.rows[column.size - 1] >= rows) {
        column.size--;
      }
    }
  }

  void clear() {
    columns.clear();
    order.clear();
    rows = 0;
    values = 0;
  }
}
