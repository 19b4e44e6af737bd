/**
 * Trains an agent, evaluates it, saves it and acts with it.
 *
 * <p>{@link io.quantail.Training} trains, {@link io.quantail.Agent} is the result, and {@link
 * io.quantail.ActingAgent} acts in one episode. Environments are in {@code io.quantail.env}.
 */
@NullMarked
package io.quantail;

import org.jspecify.annotations.NullMarked;
