package io.quantail.market.performance;

import java.io.Serializable;

/** A confidence interval. */
public record ConfidenceInterval(double low, double high) implements Serializable {}
