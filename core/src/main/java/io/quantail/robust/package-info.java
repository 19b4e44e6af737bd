/**
 * Perturbed observations: attacks, and training of policies that change little under them.
 *
 * <p>See: Zhang, Chen, Xiao, Li, Liu, Boning, Hsieh, "Robust deep reinforcement learning against
 * adversarial perturbations on state observations", 2020, arXiv:2003.08938.
 */
package io.quantail.robust;
