/** Named arrays in which components save their state, and safetensors as their file format. */
package io.quantail.state;
