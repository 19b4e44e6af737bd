/** Detects how a file of bars is written and proposes settings for it; {@code quantail init}. */
package io.quantail.market.layout;
