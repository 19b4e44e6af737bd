/** Measures whether realised returns follow the distributions that the critics predicted. */
package io.quantail.calibration;
