/** Statistics of arrays: moments, percentiles, and the standard normal distribution. */
package io.quantail.math;
