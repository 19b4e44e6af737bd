package io.quantail.testing.vectors;

import java.util.Map;

/**
 * The checks of one part of the system.
 *
 * <p>A key is the name of a vector, or the beginning of the names of vectors of the same form; of
 * several keys that fit, the longest counts. Checks may use nothing but the vector's inputs, so
 * that other numbers of the same form can be checked too.
 */
public interface VectorFamily {
  Map<String, VectorCheck> checks();
}
