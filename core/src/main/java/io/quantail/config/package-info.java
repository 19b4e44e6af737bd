/**
 * One immutable, validated record per section of the settings. Reading and writing of settings is
 * in {@code io.quantail.run.settings}.
 */
package io.quantail.config;
