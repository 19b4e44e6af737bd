/** The ledger: every evaluation on bars that the agent did not learn from, and what it proves. */
package io.quantail.market.ledger;
