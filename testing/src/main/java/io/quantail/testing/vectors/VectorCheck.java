package io.quantail.testing.vectors;

/** Computes what a vector describes and compares it with what the vector expects. */
@FunctionalInterface
public interface VectorCheck {
  void check(VectorCase vector);
}
