/**
 * Inner loops on {@code jdk.incubator.vector}, each the twin, to the bit, of a plain loop in {@code
 * io.quantail.kernel}, which is used where the module is not there.
 */
package io.quantail.simd;
