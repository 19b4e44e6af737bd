/**
 * Reports as single HTML files that need no network.
 *
 * <p>Reports are made from records alone; nothing here reads files or clocks, so the same records
 * give the same bytes.
 */
package io.quantail.app.report;
