package io.quantail.app.report;

/**
 * Something that a run drew attention to.
 *
 * @param severity {@code info}, {@code warning} or {@code error}
 * @param name of the rule or metric
 * @param when in which updates
 * @param text what was seen, why it matters and what to try; may be empty
 */
public record Notice(String severity, String name, String when, String text) {}
