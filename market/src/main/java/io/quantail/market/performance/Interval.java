package io.quantail.market.performance;

/** A confidence interval. */
public record Interval(double low, double high) {}
