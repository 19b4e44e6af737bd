package io.quantail.io;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 digest: of a whole text or array by the static methods, of data that arrives in chunks
 * by an instance. Texts are hashed as UTF-8.
 */
public final class Sha256 {
  /** Regular expression of the hexadecimal form: 64 lower-case digits. */
  public static final String HEX_PATTERN = "[0-9a-f]{64}";

  private final MessageDigest digest;

  /** Starts an empty digest. */
  public Sha256() {
    this(empty());
  }

  private Sha256(MessageDigest digest) {
    this.digest = digest;
  }

  private static MessageDigest empty() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform must provide SHA-256", impossible);
    }
  }

  /** Returns a digest of the same data, to which other data may be added. */
  public Sha256 copy() {
    try {
      return new Sha256((MessageDigest) digest.clone());
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException("the SHA-256 of Java can be copied", impossible);
    }
  }

  /** Returns the digest of a text in hexadecimal digits. */
  public static String hex(String text) {
    return HexFormat.of().formatHex(bytes(text));
  }

  /** Returns the digest of an array in hexadecimal digits. */
  public static String hex(byte[] content) {
    return new Sha256().update(content).hex();
  }

  /** Returns the 32 bytes of the digest of a text. */
  public static byte[] bytes(String text) {
    return new Sha256().digest.digest(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds all bytes of an array. */
  public Sha256 update(byte[] content) {
    digest.update(content);
    return this;
  }

  /** Adds the remaining bytes of a buffer and moves its position to its limit. */
  public Sha256 update(ByteBuffer content) {
    digest.update(content);
    return this;
  }

  /** Returns the digest of everything added, in hexadecimal digits, and starts a new one. */
  public String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
