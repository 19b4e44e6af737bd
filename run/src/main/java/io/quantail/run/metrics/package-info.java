/** Files of metrics: CSV and TensorBoard events. */
package io.quantail.run.metrics;
