/** What an audit looks at in markets: leaks, books, and the same decisions everywhere. */
package io.quantail.market.audit;
