/**
 * JMH benchmarks of the parts of a training; {@code docs/internals/performance.md} describes how to
 * run them.
 */
package io.quantail.bench;
