package io.quantail.nn;

import io.quantail.tensor.Tensor;

/**
 * A batch of observation sequences, none of which crosses an episode start.
 *
 * @param observations padded with zeros, [time, sequence, feature]
 * @param initial the state before the first observation of each sequence
 * @param rows positions {@code time * sequences + sequence} of the real samples, int64 [row]
 */
public record Sequences(Tensor observations, RecurrentState initial, Tensor rows) {}
