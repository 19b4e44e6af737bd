/**
 * Network, critic and observation normaliser as one model, and the class that acts with it and its
 * recurrent state in collection, evaluation and production alike.
 */
package io.quantail.model;
