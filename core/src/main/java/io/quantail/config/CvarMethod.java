package io.quantail.config;

/** How the mean of the lower tail is read from quantiles. */
public enum CvarMethod {
  /** The quantiles are equally likely outcomes: exact for what the critic represents. */
  POINT_MASS,
  /** The quantiles lie on a piecewise linear curve, extended beyond the lowest. */
  INTERPOLATED
}
