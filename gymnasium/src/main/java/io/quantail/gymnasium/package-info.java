/** Environments of Gymnasium in Python processes. */
@NullMarked
package io.quantail.gymnasium;

import org.jspecify.annotations.NullMarked;
