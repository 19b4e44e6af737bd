package io.quantail.cluster;

import java.io.Serializable;

/**
 * What an executor sends back.
 *
 * @param value of the task; null if there is none
 * @param output name of the directory with what the attempt has written; null if there is no value
 * @param failure why not; null if there is a value
 * @param blind name of a host that does not see the shared directory; null if it does
 * @param attempts how often the task was tried, this one included
 */
record AttemptResult<R extends Serializable>(
    R value, String output, String failure, String blind, int attempts) implements Serializable {

  static <R extends Serializable> AttemptResult<R> done(R value, String output, int attempts) {
    return new AttemptResult<>(value, output, null, null, attempts);
  }

  static <R extends Serializable> AttemptResult<R> failed(String failure, int attempts) {
    return new AttemptResult<>(null, null, failure, null, attempts);
  }

  static <R extends Serializable> AttemptResult<R> blind(String host, int attempts) {
    return new AttemptResult<>(null, null, null, host, attempts);
  }
}
