package io.quantail.rollout;

/** Says what happens to observations in the environments of one rollout. */
@FunctionalInterface
public interface Interference {
  /** Nothing, anywhere. */
  Interference NONE = (first, count) -> Disturbance.NONE;

  /** For environments [first, first + count), which one thread moves together. */
  Disturbance in(int first, int count);
}
