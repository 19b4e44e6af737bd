/** Studies for Java programs: many trainings with other settings and seeds. */
package io.quantail.study;
