/** The forecast of an account's return in the next bar, learnt beside the agent. */
package io.quantail.market.forecast;
