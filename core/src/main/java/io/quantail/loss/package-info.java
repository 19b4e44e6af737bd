/** The loss of one update, term by term as in the papers. */
package io.quantail.loss;
