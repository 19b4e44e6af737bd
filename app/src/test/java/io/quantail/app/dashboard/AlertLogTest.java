package io.quantail.app.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.testing.Requirement;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("DASH-1")
class AlertLogTest {
  private static final String RAISED =
      "{\"update\":12,\"steps\":24576,\"rule\":\"gradient-norm\",\"severity\":\"warning\",\"state\":\"raised\","
          + "\"metric\":\"train/grad_norm_pre_clip\",\"value\":73.2,\"seen\":\"s\",\"why\":\"w\",\"try\":\"t\"}\n";
  private static final String ENDED =
      "{\"update\":15,\"steps\":30720,\"rule\":\"gradient-norm\",\"state\":\"ended\"}\n";

  @Test
  void shouldReadWhatWasSeenWhyAndWhatToTry() {
    AlertLog.Alert alert = AlertLog.parse(RAISED).alerts().get(0);
    assertThat(alert)
        .isEqualTo(
            new AlertLog.Alert(
                "gradient-norm",
                "warning",
                "train/grad_norm_pre_clip",
                73.2,
                12,
                24_576,
                null,
                "s",
                "w",
                "t"));
  }

  @Test
  void shouldEndTheNewestOfARule() {
    AlertLog log = AlertLog.parse(RAISED + ENDED + RAISED.replace("12", "20"));
    assertThat(log.alerts()).extracting(AlertLog.Alert::update).containsExactly(20L, 12L);
    assertThat(log.alerts()).extracting(AlertLog.Alert::endedSteps).containsExactly(null, 30_720L);
    assertThat(log.lasting()).isEqualTo(Map.of("warning", 1));
  }

  @Test
  void shouldCountLinesThatAreNoAlertsAndIgnoreAnUnfinishedOne() {
    AlertLog log = AlertLog.parse("{broken\n[]\n\n{\"rule\":\"x\"}\n" + RAISED + "{\"rule\":");
    assertThat(log.alerts()).hasSize(1);
    assertThat(log.unreadable()).isEqualTo(3);
  }

  @Test
  void shouldTakeAnUnknownSeverityForAWarning() {
    assertThat(AlertLog.parse(RAISED.replace("\"warning\"", "\"x onload=y\"")).alerts())
        .extracting(AlertLog.Alert::severity)
        .containsExactly("warning");
  }
}
