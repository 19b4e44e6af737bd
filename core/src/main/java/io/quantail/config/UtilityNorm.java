package io.quantail.config;

/** How UPGD compares the utilities of weights; setting {@code optimizer.utilityNorm}. */
public enum UtilityNorm {
  /** By their place between the smallest and the largest utility. */
  MIN_MAX,
  /** By division by the largest utility, as in the paper. */
  GLOBAL_MAX
}
