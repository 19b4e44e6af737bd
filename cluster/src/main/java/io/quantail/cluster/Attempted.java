package io.quantail.cluster;

import java.io.Serializable;

/**
 * What an executor sends back.
 *
 * @param value of the task; null if there is none
 * @param failure why not; null if there is a value
 * @param blind name of a host that does not see the shared directory; null if it does
 * @param attempts how often the task was tried, this one included
 */
record Attempted<R extends Serializable>(R value, String failure, String blind, int attempts)
    implements Serializable {

  static <R extends Serializable> Attempted<R> done(R value, int attempts) {
    return new Attempted<>(value, null, null, attempts);
  }

  static <R extends Serializable> Attempted<R> failed(String failure, int attempts) {
    return new Attempted<>(null, failure, null, attempts);
  }

  static <R extends Serializable> Attempted<R> blind(String host, int attempts) {
    return new Attempted<>(null, null, host, attempts);
  }
}
