/**
 * The arithmetic of networks on plain Java arrays: matrix products, nonlinearities, and the layers
 * made of them, forward and backward.
 *
 * <p>A matrix is an array of rows, and rows may be shared: a sequence of a batch is a list of
 * references. Loops are written so that the JIT compiler turns them into vector instructions, which
 * on Java 17 it does only when every array of a loop is read and written at the loop's own index.
 */
package io.quantail.kernel;
