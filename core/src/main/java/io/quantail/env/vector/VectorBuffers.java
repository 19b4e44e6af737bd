package io.quantail.env.vector;

/**
 * The arrays a {@link VectorEnvironment} shows, one row per environment.
 *
 * @param observations [environment, component]
 * @param terminalObservations [environment, component], rows valid where an episode just ended
 */
record VectorBuffers(
    float[] observations,
    double[] rewards,
    boolean[] terminated,
    boolean[] truncated,
    boolean[] faulted,
    float[] terminalObservations) {

  static VectorBuffers allocate(int count, int observationSize) {
    return new VectorBuffers(
        new float[count * observationSize],
        new double[count],
        new boolean[count],
        new boolean[count],
        new boolean[count],
        new float[count * observationSize]);
  }
}
