/** Rules that raise alerts when metrics indicate a problem. */
package io.quantail.run.health;
