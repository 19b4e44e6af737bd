/**
 * The mathematical checklist, executable: {@link io.quantail.audit.Audit} holds what the learner
 * does on a user's own configuration against {@link io.quantail.audit.slow plain re-derivations}.
 */
package io.quantail.audit;
