package io.quantail.app.dashboard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Metrics by column: a row per update, a column per metric; a metric may have no value in a row.
 * Not safe for use by several threads.
 */
final class MetricTable {
  private static final int MOST_COLUMNS = 5_000;

  private final Map<String, Column> columns = new LinkedHashMap<>();
  private final List<Column> order = new ArrayList<>();
  private long[] updates = new long[64];
  private long[] steps = new long[64];
  private int rows;
  private long values;

  /** One metric: the rows in which it has a value, and the values. */
  static final class Column {
    private final String name;
    private int[] rows = new int[64];
    private double[] values = new double[64];
    private int size;

    private Column(String name) {
      this.name = name;
    }

    String name() {
      return name;
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

  /** Adds a row, or continues the last one; false if the update is older than the last row. */
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

  /** Adds a value to the last row. */
  void add(Column column, double value) {
    column.add(rows - 1, value);
    values++;
  }

  /** The column of a metric, created if it is missing; null beyond {@value #MOST_COLUMNS}. */
  @Nullable Column column(String name) {
    Column column = columns.get(name);
    if (column == null && order.size() < MOST_COLUMNS) {
      column = new Column(name);
      columns.put(name, column);
      order.add(column);
    }
    return column;
  }

  /** The column of a metric; null if it never had a value. */
  @Nullable Column find(String name) {
    return columns.get(name);
  }

  List<Column> columns() {
    return order;
  }

  int rows() {
    return rows;
  }

  /** Number of values added to all columns. */
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

  void clear() {
    columns.clear();
    order.clear();
    rows = 0;
    values = 0;
  }
}
