package io.quantail.env.vector;

import io.quantail.env.FaultKind;

/**
 * One failure of an environment.
 *
 * @param kind how it failed
 * @param environment which one
 * @param restart how often it had been replaced before
 * @param message what happened and where
 * @param recording how to see it again
 */
public record EnvironmentFault(
    FaultKind kind, int environment, long restart, String message, Recording recording) {}
