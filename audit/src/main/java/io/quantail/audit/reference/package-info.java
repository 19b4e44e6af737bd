/**
 * Reference implementation of all audited formulas: plain loops in double precision, written for
 * readability and not for speed. It calls none of the code that it is compared with.
 */
package io.quantail.audit.reference;
