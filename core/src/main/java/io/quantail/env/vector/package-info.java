/** Many environments stepped as one, with deadlines, restarts and recordings of faults. */
package io.quantail.env.vector;
