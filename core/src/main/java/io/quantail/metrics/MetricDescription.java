package io.quantail.metrics;

/**
 * What a metric means.
 *
 * @param name the metric's name; a part in braces such as {@code {k}} stands for any word
 * @param meaning one phrase
 * @param unit what the number counts or is measured in
 */
public record MetricDescription(String name, String meaning, String unit) {}
