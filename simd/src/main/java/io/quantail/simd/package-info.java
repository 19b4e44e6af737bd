/**
 * Inner loops on {@code jdk.incubator.vector}, each the vector form, with the same bits, of a plain
 * loop in {@code io.quantail.kernel}, which is used where the module is missing.
 */
package io.quantail.simd;
