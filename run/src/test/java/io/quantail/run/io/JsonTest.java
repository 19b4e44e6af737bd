package io.quantail.run.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.junit.jupiter.api.Test;

class JsonTest {
  /** A value of every kind that the two ways to write treat differently. */
  public record Sample(double number, Double missing, double[] series) {}

  private static final Sample SAMPLE =
      new Sample(Double.NaN, Double.POSITIVE_INFINITY, new double[] {0.1, -0.0});

  @Test
  void shouldWriteResultsWithoutNumbersThatAreNotFinite() throws JsonProcessingException {
    assertThat(Json.line(SAMPLE))
        .isEqualTo("{\"number\":null,\"missing\":null,\"series\":[0.1,-0.0]}");
    assertThat(Json.tree(SAMPLE).get("number").isNull()).isTrue();
    assertThat(Json.text(SAMPLE).lines()).contains("  \"number\" : null,");
  }

  @Test
  void shouldReadBackEveryNumberThatTheMapperWrote() throws JsonProcessingException {
    String text = Json.MAPPER.writeValueAsString(SAMPLE);

    assertThat(text)
        .isEqualTo("{\"number\":\"NaN\",\"missing\":\"Infinity\",\"series\":[0.1,-0.0]}");
    Sample back = Json.MAPPER.readValue(text, Sample.class);
    assertThat(back.number()).isNaN();
    assertThat(back.missing()).isEqualTo(SAMPLE.missing());
    assertThat(back.series()).containsExactly(SAMPLE.series());
    assertThat(Json.INDENTED.writeValueAsString(SAMPLE).lines())
        .contains("  \"number\" : \"NaN\",");
  }

  @Test
  void shouldBeStrictWhereAsked() {
    for (String text :
        new String[] {
          "{\"number\":1,\"missing\":null}",
          "{\"number\":null,\"missing\":null,\"series\":[]}",
          "{\"number\":1,\"missing\":1,\"series\":[],\"more\":1}",
          "{\"number\":1,\"number\":1,\"missing\":1,\"series\":[]}",
          "{\"number\":\"1\",\"missing\":1,\"series\":[]}",
          "{\"number\":1,\"missing\":1,\"series\":[]} {}",
        }) {
      assertThatThrownBy(() -> Json.STRICT.readValue(text, Sample.class))
          .as(text)
          .isInstanceOf(JsonProcessingException.class);
    }
  }
}
