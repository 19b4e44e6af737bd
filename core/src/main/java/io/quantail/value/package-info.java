/** Distributional critics: their predictions, their losses, and the scale of returns. */
package io.quantail.value;
