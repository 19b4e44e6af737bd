/** The CVaR limit: its measurement, its control, and its effect on the update. */
package io.quantail.risk;
