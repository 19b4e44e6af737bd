/** Loops and tasks over a fixed set of threads, with results that do not depend on their number. */
package io.quantail.parallel;
