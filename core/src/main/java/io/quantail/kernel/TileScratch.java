package io.quantail.kernel;

/**
 * What products need beside their factors where rows or columns do not fill a tile: kept by each
 * thread, so that a step of one environment allocates nothing.
 */
final class TileScratch {
  private static final ThreadLocal<TileScratch> OF_THREAD =
      ThreadLocal.withInitial(TileScratch::new);

  private final float[][] edge = new float[4][PanelMatrix.WIDTH];
  private float[] unused = {};
  private float[] zeros = {};

  private TileScratch() {}

  static TileScratch ofThread() {
    return OF_THREAD.get();
  }

  /** Four rows of one panel. */
  float[][] edge() {
    return edge;
  }

  /** A row for results that nobody reads, at least of the given length. */
  float[] unused(int length) {
    if (unused.length < length) {
      unused = new float[length];
    }
    return unused;
  }

  /** A row of zeros, at least of the given length; it is not written to. */
  float[] zeros(int length) {
    if (zeros.length < length) {
      zeros = new float[length];
    }
    return zeros;
  }
}
