package io.quantail.env.vector;

import io.quantail.env.EnvironmentException;
import org.jspecify.annotations.Nullable;

/**
 * One failure of an environment.
 *
 * @param kind kind of failure
 * @param environment index of the environment
 * @param restart number of replacements before the failure
 * @param message description with episode and step
 * @param recording reproduces the failure
 */
public record EnvironmentFault(
    EnvironmentException.Kind kind,
    int environment,
    long restart,
    @Nullable String message,
    FaultRecording recording) {}
