package io.quantail.metrics;

/**
 * Meaning and unit of a metric.
 *
 * @param name the metric's name; a part in braces such as {@code {k}} stands for any word
 * @param meaning one phrase
 * @param unit of the value
 */
public record MetricDescription(String name, String meaning, String unit) {}
