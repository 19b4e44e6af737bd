/**
 * JMH benchmarks of the parts of a training; {@code docs/performance.md} describes how to run them.
 */
package io.quantail.bench;
