/**
 * Settings as trees and strict YAML: reading, writing, overriding, comparing and hashing them. The
 * records of {@code io.quantail.config} know none of it.
 */
package io.quantail.run.settings;
