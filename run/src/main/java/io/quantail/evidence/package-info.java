/**
 * How much a backtest proves: the luck in a Sharpe ratio, the tests of a tail forecast, the verdict
 * on a limit. Functions of plain arrays; {@code docs/reference/evidence.md} has the formulas.
 */
package io.quantail.evidence;
