package io.quantail.checkpoint;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/**
 * What a manifest says about one file of its snapshot.
 *
 * @param size in bytes, 0 or more
 * @param sha256 64 lower-case hexadecimal digits
 */
public record FileDigest(long size, String sha256) {
  static final String HEX_PATTERN = "[0-9a-f]{64}";

  public FileDigest {
    Objects.requireNonNull(sha256, "sha256");
    if (size < 0) {
      throw new IllegalArgumentException("size must be 0 or more, was " + size);
    }
    if (!sha256.matches(HEX_PATTERN)) {
      throw new IllegalArgumentException(
          "sha256 must be 64 lower-case hexadecimal digits, was '" + sha256 + "'");
    }
  }

  static FileDigest of(byte[] content) {
    MessageDigest digest = newSha256();
    digest.update(content);
    return new FileDigest(content.length, hex(digest));
  }

  static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  static MessageDigest newSha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform must provide SHA-256", impossible);
    }
  }
}
