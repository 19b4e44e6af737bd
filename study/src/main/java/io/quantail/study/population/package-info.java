/** Population-based training. */
package io.quantail.study.population;
