/** The contract of an environment, with base classes and wrappers for implementations. */
package io.quantail.env;
