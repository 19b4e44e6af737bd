/** An agent's account on replayed crises and on bars with doubled volatility. */
package io.quantail.market.stress;
