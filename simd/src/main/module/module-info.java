/** Inner loops in vector instructions. */
module io.quantail.simd {
  requires static jdk.incubator.vector;

  exports io.quantail.simd to
      io.quantail.core;
}
