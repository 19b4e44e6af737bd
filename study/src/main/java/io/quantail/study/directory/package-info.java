/** Directories, journals and trainings of a study. */
package io.quantail.study.directory;
