package io.quantail.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("CKPT-1")
class SafetensorsTest {
  private static final String TENSOR = "{'a':{'dtype':%s,'shape':%s,'data_offsets':%s}}";

  @TempDir Path directory;

  @Test
  void shouldWriteTheKnownBytes() throws IOException {
    StateMap state =
        new StateMap()
            .put("t", StateArray.ofBytes(new byte[] {'h', 'i'}, 2))
            .putFloats("w", new float[] {1, -2}, 2, 1);
    state.putLong("n", 258);

    SafetensorsFile.write(file(), state);

    String header =
        "{'t':{'dtype':'U8','shape':[2],'data_offsets':[16,18]},"
            + "'w':{'dtype':'F32','shape':[2,1],'data_offsets':[8,16]},"
            + "'n':{'dtype':'I64','shape':[],'data_offsets':[0,8]}}";
    String padded = header.replace('\'', '"') + " ".repeat(7 - (header.length() + 7) % 8);
    byte[] length = {(byte) padded.length(), 0, 0, 0, 0, 0, 0, 0};
    String data = "0201000000000000" + "0000803f000000c0" + "6869";
    assertThat(padded.length() % 8).isZero();
    assertThat(HexFormat.of().formatHex(Files.readAllBytes(file())))
        .isEqualTo(
            HexFormat.of().formatHex(length)
                + HexFormat.of().formatHex(padded.getBytes(StandardCharsets.US_ASCII))
                + data);
  }

  @Test
  void shouldReadBackEveryTypeAndShapeInOrder() {
    StateMap state = sample(7);

    SafetensorsFile.write(file(), state);
    StateMap back = SafetensorsFile.read(file());

    assertThat(back.entries()).isEqualTo(state.entries());
    assertThat(back.names()).isEqualTo(state.names());
  }

  @Test
  void shouldReadBackAnEmptyMap() {
    SafetensorsFile.write(file(), new StateMap());

    assertThat(SafetensorsFile.read(file()).names()).isEmpty();
  }

  @Test
  void shouldReadBackArraysLargerThanOneChunk() {
    double[] values = new double[300_001];
    Arrays.setAll(values, i -> 1.0 / i);
    StateMap state = new StateMap().putDoubles("large", values).putFloats("after", new float[] {2});

    SafetensorsFile.write(file(), state);

    assertThat(SafetensorsFile.read(file()).entries()).isEqualTo(state.entries());
  }

  @Test
  void shouldReplaceALongerFile() {
    SafetensorsFile.write(file(), sample(7));
    SafetensorsFile.write(file(), new StateMap().putLong("n", 1));

    assertThat(SafetensorsFile.read(file()).longValue("n")).isEqualTo(1);
  }

  @Test
  void shouldReadAFileWithMetadataAndUnorderedHeader() throws IOException {
    String header =
        "{'b':{'dtype':'U8','shape':[1],'data_offsets':[1,2]},'__metadata__':{'format':'pt'},"
            + "'a':{'dtype':'U8','shape':[1],'data_offsets':[0,1]}}";
    writeRaw(header, new byte[] {5, 6});

    StateMap state = SafetensorsFile.read(file());

    assertThat(bytes(state, "a")).containsExactly(5);
    assertThat(bytes(state, "b")).containsExactly(6);
  }

  @Test
  void shouldReadEscapesWhiteSpaceAndAnyOrderOfKeys() throws IOException {
    String header =
        "{ '__metadata__' : {'k\\n\\u00e9':'\\\\ \\/ \\b\\f\\r\\t \\ud83d\\ude00', 'e':''} ,\n\t"
            + "'q\\u0022\\/x' : { 'data_offsets' : [ 0 , 2 ] ,\r\n 'shape':[2,1] , 'dtype':'\\u00558'} } \n";
    writeRaw(header, new byte[] {5, 6});

    StateMap state = SafetensorsFile.read(file());
    assertThat(bytes(state, "q\"/x")).containsExactly(5, 6);
    assertThat(state.entries().get("q\"/x").shape()).containsExactly(2, 1);
  }

  @Test
  void shouldEscapeNamesLikeOtherWriters() throws IOException {
    SafetensorsFile.write(file(), new StateMap().putLong("a\"b\\c/'d", 1));

    assertThat(Files.readString(file(), StandardCharsets.ISO_8859_1))
        .contains("{\"a\\\"b\\\\c/'d\":{\"dtype\":\"I64\",");
    assertThat(SafetensorsFile.read(file()).names()).containsExactly("a\"b\\c/'d");
  }

  @Test
  void shouldWriteTheSameBytesInEveryLocale() throws IOException {
    SafetensorsFile.write(file(), sample(7));
    byte[] expected = Files.readAllBytes(file());
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      SafetensorsFile.write(file(), sample(7));
    } finally {
      Locale.setDefault(before);
    }

    assertThat(file()).hasBinaryContent(expected);
  }

  @Test
  void shouldRefuseTextThatIsNotUtf8() throws IOException {
    byte[] json = "{\"__metadata__\":{\"a\":\"\u00e9\"}}".getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer bytes = ByteBuffer.allocate(8 + json.length).order(ByteOrder.LITTLE_ENDIAN);
    Files.write(file(), bytes.putLong(json.length).put(json).array());

    assertThatThrownBy(() -> SafetensorsFile.read(file()))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("not UTF-8");
  }

  @Test
  void shouldRefuseEveryTruncation() throws IOException {
    SafetensorsFile.write(file(), sample(1));
    byte[] whole = Files.readAllBytes(file());

    for (int length = 0; length < whole.length; length++) {
      Files.write(file(), Arrays.copyOf(whole, length));
      assertThatThrownBy(() -> SafetensorsFile.read(file()))
          .as("truncated to %d of %d bytes", length, whole.length)
          .isInstanceOf(StateException.class);
    }
  }

  @Test
  void shouldRefuseTrailingBytes() throws IOException {
    SafetensorsFile.write(file(), sample(1));
    byte[] whole = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(whole, whole.length + 1));

    assertThatThrownBy(() -> SafetensorsFile.read(file())).isInstanceOf(StateException.class);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 3, 100_000_000})
  void shouldRefuseHeaderLengthsBeyondTheFile(long length) throws IOException {
    byte[] bytes = new byte[10];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(length);
    Files.write(file(), bytes);

    assertThatThrownBy(() -> SafetensorsFile.read(file()))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("header length must be in [0, 2], was ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "'F32' | [1]                      | [0,8]           | takes 4 bytes",
        "'F32' | [2]                      | [8,0]           | takes 8 bytes",
        "'F32' | [1]                      | [4,8]           | starts at 4",
        "'U8'  | [4]                      | [0,4]           | file has 8 bytes of data",
        "'U8'  | [9]                      | [0,9]           | file has 8 bytes of data",
        "'F64' | [4611686018427387904]    | [0,8]           | 2^63",
        "'F64' | [4294967296,4294967296]  | [0,0]           | 2^63",
        "'I64' | [99999999999999999999]   | [0,8]           | integer in [0, 2^63)",
        "'I64' | [-1]                     | [0,8]           | integer in [0, 2^63)",
        "'I64' | [1.0]                    | [0,8]           | integer in [0, 2^63)",
        "'I64' | [1]                      | [0]             | 2 data_offsets",
        "'I64' | [1]                      | [0,8,8]         | 2 data_offsets",
        "'I64' | 1                        | [0,8]           | array of numbers",
        "'I64' | ['1']                    | [0,8]           | integer in [0, 2^63)",
        "'BF16'| [4]                      | [0,8]           | dtype BF16",
        "5     | [1]                      | [0,8]           | expected a text as dtype",
        "'U8'  | [1152921504606846976]    | [0,1152921504606846976] | file has 8 bytes",
      })
  void shouldRefuseHeadersThatDoNotAddUp(String type, String shape, String offsets, String reason)
      throws IOException {
    writeRaw(TENSOR.formatted(type, shape, offsets), new byte[8]);

    assertThatThrownBy(() -> SafetensorsFile.read(file()))
        .isInstanceOf(StateException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "[]                                                              | no JSON object",
        "\" {}\"                                                         | no JSON object",
        "{}x                                                             | end of the header at position 2, found 'x'",
        "{} {}                                                           | end of the header at position 3",
        "{'a':                                                           | malformed",
        "{'a':5}                                                         | expected an object for 'a' at position 5",
        "{'a':{'dtype':'U8','shape':[0]}}                                | 'a' must have",
        "{'a':{'dtype':'U8','shape':[0],'data_offsets':[0,0],'x':1}}     | 'a' must have",
        "{'__metadata__':5}                                              | for __metadata__ at position",
        "{'__metadata__':{'a':5}}                                        | for __metadata__ at position",
        "{'a':{'dtype':'U8','shape':[0],'data_offsets':[0,0]},'a':{'dtype':'U8','shape':[0],'data_offsets':[0,0]}} | duplicate name",
        "{'a':{'dtype':'U8','dtype':'U8','shape':[0],'data_offsets':[0,0]}} | duplicate name",
        "{'a':{'dtype':'U8','shape':[0,],'data_offsets':[0,0]}}          | integer in [0, 2^63)",
        "{'a':{'dtype':'U8','shape':[00],'data_offsets':[0,0]}}          | integer in [0, 2^63)",
        "{'a':{'dtype':'U8','shape':[0],'data_offsets':[0,0]},}          | expected a name",
        "{'__metadata__':{'a':{'b':{}}}}                                 | for __metadata__ at position",
        "{'__metadata__':{'a':'\\x'}}                                    | after \\ in",
        "{'__metadata__':{'a':'\\u00g0'}}                                | four hexadecimal digits",
        "{'a//b':{'dtype':'U8','shape':[0],'data_offsets':[0,0]}}        | must be printable ASCII",
      })
  void shouldRefuseMalformedHeaders(String header, String reason) throws IOException {
    writeRaw(header, new byte[0]);

    assertThatThrownBy(() -> SafetensorsFile.read(file()))
        .isInstanceOf(StateException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void shouldRefuseOverlapsAndHoles() throws IOException {
    String two =
        "{'a':{'dtype':'U8','shape':[4],'data_offsets':[0,4]},"
            + "'b':{'dtype':'U8','shape':[4],'data_offsets':[%d,%d]}}";
    writeRaw(two.formatted(2, 6), new byte[6]);
    assertThatThrownBy(() -> SafetensorsFile.read(file()))
        .hasMessageContaining("'b' starts at 2, the array before it ends at 4");

    writeRaw(two.formatted(5, 9), new byte[9]);
    assertThatThrownBy(() -> SafetensorsFile.read(file()))
        .hasMessageContaining("'b' starts at 5, the array before it ends at 4");
  }

  @Test
  void shouldRefuseAHeaderTooLargeToTrust() throws IOException {
    byte[] bytes = new byte[(16 << 20) + 16];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong((16 << 20) + 8);
    Files.write(file(), bytes);

    assertThatThrownBy(() -> SafetensorsFile.read(file()))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("header length must be in [0, 16777216]");
  }

  @Test
  void shouldRefuseTheReservedName() {
    StateMap state = new StateMap().putLong("__metadata__", 1);

    assertThatThrownBy(() -> SafetensorsFile.write(file(), state))
        .isInstanceOf(StateException.class)
        .hasMessageContaining("reserved");
  }

  private static byte[] bytes(StateMap state, String name) {
    return state.entries().get(name).toBytes();
  }

  private Path file() {
    return directory.resolve("state.safetensors");
  }

  private void writeRaw(String header, byte[] data) throws IOException {
    byte[] json = header.replace('\'', '"').getBytes(StandardCharsets.US_ASCII);
    ByteBuffer bytes = ByteBuffer.allocate(8 + json.length + data.length);
    bytes.order(ByteOrder.LITTLE_ENDIAN).putLong(json.length).put(json).put(data);
    Files.write(file(), bytes.array());
  }

  private static StateMap sample(long update) {
    RandomStream random = RandomStream.of(1, "sample", update);
    float[] weights = new float[15];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) random.nextGaussian();
    }
    weights[3] = Float.intBitsToFloat(0x7FC0BEEF);
    weights[4] = -0.0f;
    StateMap state = new StateMap();
    state.child("counters").putLong("update", update).putBoolean("frozen", update % 2 == 0);
    state
        .child("policy")
        .putFloats("lstm.weight", weights, 3, 5)
        .put("scale", StateArray.ofFloats(new float[] {0.5f}));
    state
        .child("normaliser")
        .putDoubles("mean", new double[] {Double.NaN, Double.NEGATIVE_INFINITY, 1e-310})
        .putDoubles("window", new double[0], 0, 4)
        .put("note", StateArray.ofBytes(new byte[] {103, 114, -61, -74}, 4));
    state.putLongs("random", new long[] {random.key(), random.substream(), random.position()});
    return state;
  }
}
