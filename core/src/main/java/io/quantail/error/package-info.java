/** What Quantail throws when it refuses something. */
@NullMarked
package io.quantail.error;

import org.jspecify.annotations.NullMarked;
