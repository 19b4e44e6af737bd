/**
 * Policies that do not change their mind over small changes of what they see: attacks on
 * observations, and the term of the loss that makes them fail.
 *
 * <p>See: Zhang, Chen, Xiao, Li, Liu, Boning, Hsieh, "Robust deep reinforcement learning against
 * adversarial perturbations on state observations", 2020, arXiv:2003.08938.
 */
package io.quantail.robust;
