/** The recurrent actor-critic: parameters, layers and action distributions. */
package io.quantail.network;
