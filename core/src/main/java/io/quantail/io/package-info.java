/** SHA-256 digests, and files and directories that are written completely or not at all. */
package io.quantail.io;
