/** Tests a user's environment against the contract of {@link io.quantail.env.Environment}. */
package io.quantail.env.check;
