package io.quantail.cluster;

import io.quantail.cluster.FileExchange.Stored;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Result of an attempt, sent from an executor to the driver.
 *
 * @param value of the task; null if the attempt has none
 * @param output directory with the files of the attempt; null without value
 * @param failure reason of a failure; null if the attempt did not fail
 * @param blind name of a host that does not see the shared directory; null if it does
 * @param attempts number of attempts so far, including this one
 */
record AttemptResult<R extends Serializable>(
    @Nullable R value,
    @Nullable Stored output,
    @Nullable String failure,
    @Nullable String blind,
    int attempts)
    implements Serializable {

  static <R extends Serializable> AttemptResult<R> done(R value, Stored output, int attempts) {
    return new AttemptResult<>(value, output, null, null, attempts);
  }

  static <R extends Serializable> AttemptResult<R> failed(String failure, int attempts) {
    return new AttemptResult<>(null, null, failure, null, attempts);
  }

  static <R extends Serializable> AttemptResult<R> blind(String host, int attempts) {
    return new AttemptResult<>(null, null, null, host, attempts);
  }
}
