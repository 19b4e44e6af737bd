/** Optimisers, learning-rate schedules, gradient clipping and gradient scaling. */
package io.quantail.optim;
