package io.quantail.testing.vectors;

/** Computes the function of a vector and compares the result with the expected values. */
@FunctionalInterface
public interface VectorCheck {
  void check(VectorCase vector);
}
