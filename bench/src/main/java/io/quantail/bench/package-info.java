/** JMH benchmarks of the parts of a training; {@code docs/performance.md} says how to run them. */
package io.quantail.bench;
