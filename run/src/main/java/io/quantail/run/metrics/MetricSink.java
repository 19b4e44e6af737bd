package io.quantail.run.metrics;

import io.quantail.metrics.MetricRow;

/** Receives metrics row by row; the caller that opened it closes it. */
public interface MetricSink extends AutoCloseable {
  /** Writes the row; readers see it when this method returns. */
  void write(MetricRow row);

  @Override
  void close();
}
