/** The values that one iteration of training measured. */
package io.quantail.metrics;
