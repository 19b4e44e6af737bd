/** The evaluation of a trained agent and its result. */
package io.quantail.run.evaluation;
