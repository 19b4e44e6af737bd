/** One training as a directory: the training loop, its files, and resuming. */
package io.quantail.run;
