/**
 * The only door to libtorch: safe loading, scopes, and a small {@code Tensor} with the operators
 * that the learner uses. Nothing outside this package imports {@code org.bytedeco}.
 */
package io.quantail.tensor;
