package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTest {
  private final Decimal decimal = new Decimal();

  @Test
  void shouldReadWhatJavaWritesToTheLastBit() {
    RandomStream random = RandomStream.of(11, "decimals", 0);
    int usual = 0;
    for (int i = 0; i < 200_000; i++) {
      double size = Math.pow(10, random.nextDouble(-9, 12));
      double value =
          i % 2 == 0 ? size * random.nextGaussian() : (float) (size * random.nextDouble());
      if (read(value + "\n")) {
        usual++;
        assertThat(decimal.value()).as("seed 11, number %d", i).isEqualTo(value);
      }
    }
    assertThat(usual).isGreaterThan(150_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0.0",
        "-0.0",
        "1",
        "44.5",
        "2.0E-4",
        "-7E3",
        "1e5",
        "123456789012345678",
        "0.000000001",
        "9007199254740993",
        "4.9E-324",
        "1.7976931348623157E308",
        "5.",
        ".5",
        "1E22",
        "1E-22"
      })
  void shouldNeverDifferFromTheLibrary(String text) {
    if (read(text + "\n")) {
      assertThat(decimal.value()).isEqualTo(Double.parseDouble(text));
      assertThat(decimal.end()).isEqualTo(text.length());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n",
        "-\n",
        ".\n",
        "-.\n",
        "NaN\n",
        "1",
        "1.2.3\n",
        "1 \n",
        "1,2\n",
        "E5\n",
        "1E\n",
        "1E-\n",
        "0x1p3\n",
        "1d\n",
        "--1\n",
        "1234567890123456789\n",
        "1E23\n",
        "1E-23\n",
        "1E2222\n",
        ""
      })
  void shouldLeaveTheRestToTheLibrary(String line) {
    assertThat(read(line)).isFalse();
  }

  private boolean read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return decimal.read(bytes, 0, bytes.length);
  }
}
