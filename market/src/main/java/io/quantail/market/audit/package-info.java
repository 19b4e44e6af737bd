/** Checks of the audit for markets: look-ahead bias, accounting, equality of decisions. */
package io.quantail.market.audit;
