/**
 * The audit: {@link io.quantail.audit.Audit} compares the learner, on a user's own configuration
 * and data, with a {@link io.quantail.audit.reference reference implementation}.
 */
package io.quantail.audit;
