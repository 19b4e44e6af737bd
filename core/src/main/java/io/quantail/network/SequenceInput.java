package io.quantail.network;

import io.quantail.kernel.SequencePacking;

/**
 * A batch of observation sequences, none of which crosses an episode start.
 *
 * @param observations one row per sample
 * @param initial the state before the first observation of each sequence
 * @param packing which rows belong to which sequence
 * @param masks the allowed choices of each sample, one row behind the other; empty if everything is
 *     allowed
 */
public record SequenceInput(
    float[][] observations, RecurrentState initial, SequencePacking packing, boolean[] masks) {
  /** Stands for masks that allow everything. */
  public static final boolean[] NO_MASKS = {};

  /** Sequences of samples in which everything is allowed. */
  public SequenceInput(float[][] observations, RecurrentState initial, SequencePacking packing) {
    this(observations, initial, packing, NO_MASKS);
  }

  /** One observation per environment. */
  public static SequenceInput step(float[][] observations, RecurrentState state, boolean[] masks) {
    return new SequenceInput(
        observations, state, SequencePacking.singleStep(observations.length), masks);
  }

  /** The same sequences with other observations. */
  public SequenceInput withObservations(float[][] others) {
    return new SequenceInput(others, initial, packing, masks);
  }
}
