/** Collection of rollouts, advantages and value targets, and batches of sequences. */
package io.quantail.rollout;
