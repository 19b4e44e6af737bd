/** Built-in tasks, and the registry that finds environments by name. */
package io.quantail.env.tasks;
