package io.quantail.evidence;

/** Resamples of a series, as indices of it. */
interface Resamples {
  /** Number of resamples. */
  int count();

  /** Writes the indices of one resample; there are as many as the series has values. */
  void fill(int resample, int[] indices);
}
