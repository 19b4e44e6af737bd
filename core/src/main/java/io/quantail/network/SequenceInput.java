package io.quantail.network;

import io.quantail.kernel.SequencePacking;

/**
 * A batch of observation sequences, none of which crosses an episode start.
 *
 * @param observations one row per sample
 * @param initial the state before the first observation of each sequence
 * @param packing which rows belong to which sequence
 */
public record SequenceInput(
    float[][] observations, RecurrentState initial, SequencePacking packing) {}
