/** Sweeps: grids of settings, each trained with several seeds. */
package io.quantail.study.sweep;
