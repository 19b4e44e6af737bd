package io.quantail.run.metrics;

import io.quantail.metrics.MetricRow;
import io.quantail.run.io.FileDigest;
import java.util.Map;

/** Receives metrics row by row; the caller that opened it closes it. */
public interface MetricSink extends AutoCloseable {
  /** Writes the row; readers see it when this method returns. */
  void write(MetricRow row);

  /**
   * Makes everything durable that a snapshot refers to.
   *
   * @return size and hash of the files, by name
   */
  default Map<String, FileDigest> force() {
    return Map.of();
  }

  @Override
  void close();
}
