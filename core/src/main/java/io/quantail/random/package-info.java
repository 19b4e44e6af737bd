/** Counter-based random streams, addressed by seed, purpose and index. */
package io.quantail.random;
