package io.quantail.metrics;

/** A place measurements are written to, row by row; the one who opened it closes it. */
public interface MetricSink extends AutoCloseable {
  /** Writes the row so that a reader sees it when this returns. */
  void write(MetricRow row);

  @Override
  void close();
}
