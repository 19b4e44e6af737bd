package io.quantail.rollout;

/** Gives the perturbations of one rollout, by group of environments. */
@FunctionalInterface
public interface Interference {
  /** No perturbation in any environment. */
  Interference NONE = (first, count) -> Disturbance.NONE;

  /** The perturbation in environments [first, first + count), which one thread steps together. */
  Disturbance in(int first, int count);
}
