/** The training algorithm, one iteration at a time, and the evaluation of agents. */
package io.quantail.train;
