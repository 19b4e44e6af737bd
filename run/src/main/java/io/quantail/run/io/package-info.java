/** JSON in the files of runs, and the lock of a directory. */
package io.quantail.run.io;
