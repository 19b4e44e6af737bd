/**
 * The PPO update: epochs, minibatches and gradient steps, with the schedules and stopping rules
 * that control them.
 */
package io.quantail.ppo;
