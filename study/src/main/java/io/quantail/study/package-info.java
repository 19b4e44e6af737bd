/** A study: many trainings in one directory, and the seeds they use. */
package io.quantail.study;
