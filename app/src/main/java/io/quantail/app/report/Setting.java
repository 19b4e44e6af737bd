package io.quantail.app.report;

/**
 * One setting of a run.
 *
 * @param path its name, such as {@code ppo.clipRange}
 * @param value as it is written
 * @param changed whether it is not the default
 */
public record Setting(String path, String value, boolean changed) {}
