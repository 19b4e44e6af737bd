package io.quantail.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** Files from anywhere are read, or refused with a {@link StateException}; nothing else happens. */
@Requirement("CKPT-1")
class SafetensorsFuzzTest {
  private static final String VALID =
      "{\"__metadata__\":{\"format\":\"pt\"},"
          + "\"a\":{\"dtype\":\"F32\",\"shape\":[2,1],\"data_offsets\":[0,8]},"
          + "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[8,12]}}";
  private static final int DATA_SIZE = 12;
  private static final int MAX_HEADER = 16 << 20;

  @Property(tries = 2000)
  void shouldRefuseRandomHeaders(@ForAll @Size(max = 200) byte[] header) {
    parseOrRefuse(header);
  }

  @Property(tries = 300)
  void shouldRefuseRandomFiles(
      @ForAll("lengths") long headerLength, @ForAll @Size(max = 64) byte[] content)
      throws IOException {
    Path file = Files.createTempFile("fuzz", ".safetensors");
    try {
      ByteBuffer bytes = ByteBuffer.allocate(8 + content.length).order(ByteOrder.LITTLE_ENDIAN);
      Files.write(file, bytes.putLong(headerLength).put(content).array());
      assertThatThrownBy(() -> SafetensorsFile.read(file)).isInstanceOf(StateException.class);
    } finally {
      Files.delete(file);
    }
  }

  @Example
  void shouldReadTheHeaderThatIsMutated() {
    assertThat(SafetensorsHeader.parse(utf8(VALID), DATA_SIZE).tensors()).hasSize(2);
  }

  @Property(tries = 3000)
  void shouldRefuseHeadersOfJsonPieces(@ForAll("pieces") List<String> pieces) {
    parseOrRefuse(utf8("{" + String.join("", pieces)));
  }

  @Property(tries = 3000)
  void shouldRefuseOrReadMutatedHeaders(
      @ForAll("positions") int position,
      @ForAll("positions") int length,
      @ForAll("replacements") String replacement) {
    int start = position % VALID.length();
    int end = Math.min(VALID.length(), start + length % 12);
    String mutated = VALID.substring(0, start) + replacement + VALID.substring(end);

    parseOrRefuse(utf8(mutated));
  }

  /** The form has a fixed depth: nesting is refused where it starts, without recursion. */
  @Example
  void shouldRefuseDeepNestingWithoutRecursion() {
    for (String opening : List.of("{\"a\":", "[", "{\"__metadata__\":{\"a\":[")) {
      String nested = opening + "[".repeat(MAX_HEADER - 100);
      assertThatThrownBy(() -> SafetensorsHeader.parse(utf8(nested), DATA_SIZE))
          .isInstanceOf(StateException.class);
    }
  }

  @Example
  void shouldRefuseLongTextsNumbersAndArrays() {
    String tensor = "{\"a\":{\"dtype\":\"U8\",\"data_offsets\":[0,0],\"shape\":[";
    for (String header :
        List.of(
            "{\"" + "x".repeat(MAX_HEADER - 100),
            "{" + " ".repeat(MAX_HEADER - 100),
            tensor + "9".repeat(MAX_HEADER - 100),
            tensor + "1,".repeat(MAX_HEADER / 2 - 100))) {
      assertThatThrownBy(() -> SafetensorsHeader.parse(utf8(header), DATA_SIZE))
          .isInstanceOf(StateException.class);
    }
  }

  /** A shape of 2^40 bytes in a file of 100: refused by its size, before memory is allocated. */
  @Property(tries = 200)
  void shouldAllocateNoMoreThanTheFileContains(@ForAll("sizes") long size) {
    String header =
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[%d],\"data_offsets\":[0,%d]}}"
            .replace("%d", Long.toString(size));

    assertThatThrownBy(() -> SafetensorsHeader.parse(utf8(header), DATA_SIZE))
        .isInstanceOf(StateException.class);
  }

  @Provide
  Arbitrary<Long> lengths() {
    return Arbitraries.oneOf(Arbitraries.longs().between(0, 70), Arbitraries.longs());
  }

  @Provide
  Arbitrary<Long> sizes() {
    return Arbitraries.longs().between(DATA_SIZE + 1, Long.MAX_VALUE);
  }

  @Provide
  Arbitrary<Integer> positions() {
    return Arbitraries.integers().between(0, 10_000);
  }

  @Provide
  Arbitrary<List<String>> pieces() {
    return replacements().list().ofMaxSize(30);
  }

  @Provide
  Arbitrary<String> replacements() {
    return Arbitraries.oneOf(
        Arbitraries.of(
            "{",
            "}",
            "[",
            "]",
            ",",
            ":",
            " ",
            "\n",
            "\"",
            "\\",
            "\\u",
            "\\u0041",
            "null",
            "true",
            "\"a\"",
            "\"dtype\"",
            "\"U8\"",
            "\"shape\"",
            "\"data_offsets\"",
            "\"__metadata__\"",
            "[0,12]",
            "[12]",
            "0",
            "-1",
            "1e3",
            "0.5",
            "9223372036854775807",
            "9223372036854775808",
            "18446744073709551615",
            ""),
        Arbitraries.strings().ofMaxLength(5));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A header that is accepted describes the data to the byte. */
  private static void parseOrRefuse(byte[] header) {
    try {
      long described =
          SafetensorsHeader.parse(header, DATA_SIZE).tensors().stream()
              .mapToLong(tensor -> StateArray.byteCount(tensor.type(), tensor.shape()))
              .sum();
      assertThat(described).isEqualTo(DATA_SIZE);
    } catch (StateException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }
}
