package io.quantail.market.performance;

import java.io.Serializable;

/** A confidence interval. */
public record Interval(double low, double high) implements Serializable {}
