/** JSON in the files of runs. */
package io.quantail.run.io;
