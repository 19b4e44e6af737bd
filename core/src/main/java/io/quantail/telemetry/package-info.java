/** Metrics of an iteration, computed from its results. These classes only read. */
package io.quantail.telemetry;
