/**
 * Everything that an audit checks, derived once more from the formulas: plain loops over doubles,
 * written to be read, not to be fast. Nothing here calls what it is compared with.
 */
package io.quantail.audit.slow;
