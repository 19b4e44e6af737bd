/**
 * Pages that explain a run: one HTML file each, with everything in it and no access to a network.
 *
 * <p>Plain records go in, a text comes out; nothing here reads a run or a clock, so the same
 * records give the same bytes.
 */
package io.quantail.app.report;
