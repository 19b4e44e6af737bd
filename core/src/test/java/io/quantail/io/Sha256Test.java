package io.quantail.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Sha256Test {
  /** See: NIST, FIPS 180-2, appendix B.1 and B.2. */
  private static final String ABC =
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  private static final String LONGER =
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";

  @Test
  void shouldGiveThePublishedDigests() {
    byte[] abc = "abc".getBytes(StandardCharsets.US_ASCII);

    assertThat(Sha256.hex("abc")).isEqualTo(ABC).matches(Sha256.HEX_PATTERN);
    assertThat(Sha256.hex(abc)).isEqualTo(ABC);
    assertThat(HexFormat.of().formatHex(Sha256.bytes("abc"))).isEqualTo(ABC);
    assertThat(Sha256.hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))
        .isEqualTo(LONGER);
  }

  @Test
  void shouldHashChunksLikeTheWhole() {
    ByteBuffer rest = ByteBuffer.wrap(new byte[] {'x', 'b', 'c'}, 1, 2);
    Sha256 digest = new Sha256().update(new byte[] {'a'}).update(rest);

    assertThat(digest.hex()).isEqualTo(ABC);
    assertThat(rest.hasRemaining()).isFalse();
    assertThat(digest.hex()).as("starts again").isEqualTo(Sha256.hex(""));
  }

  @Test
  void shouldHashTextsAsUtf8() {
    assertThat(Sha256.hex("é")).isEqualTo(Sha256.hex(new byte[] {(byte) 0xC3, (byte) 0xA9}));
  }
}
