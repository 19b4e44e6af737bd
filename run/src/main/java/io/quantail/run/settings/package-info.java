/**
 * Settings as trees and strict YAML: reading, writing, overriding, comparing and hashing them. The
 * records themselves are in {@code io.quantail.config}.
 */
package io.quantail.run.settings;
