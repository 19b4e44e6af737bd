/** Snapshots of the training state that survive a crash at any byte. */
package io.quantail.run.snapshot;
