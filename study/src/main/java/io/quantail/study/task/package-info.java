/** Self-contained tasks that run in a thread or on a cluster. */
package io.quantail.study.task;
