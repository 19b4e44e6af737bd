package io.quantail.audit;

import static io.quantail.audit.AuditCheck.check;
import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.audit.AuditOutcome.Status;
import org.junit.jupiter.api.Test;

class AuditCheckTest {

  private static AuditOutcome run(AuditCheck check) throws Exception {
    return check.procedure().run(null);
  }

  @Test
  void shouldCompareTheLargestErrorWithTheBound() throws Exception {
    AuditCheck.Measurement measured =
        any -> new Deviation().add(1, 1.5).add(new double[] {1, 2}, new double[] {1, 2.25});

    assertThat(run(check("a", "X-1", 0.5, measured)))
        .isEqualTo(new AuditOutcome(Status.PASS, "0.5", "<= 0.5", ""));
    assertThat(run(check("a", "X-1", 0.49, measured)).status()).isEqualTo(Status.FAIL);
  }

  @Test
  void shouldFailWhenAnErrorIsNotANumber() throws Exception {
    AuditCheck.Measurement lost = any -> new Deviation().add(Double.NaN).add(0);
    AuditCheck.Measurement lostInArray =
        any -> new Deviation().add(new double[] {Double.NaN, 0}, new double[] {0, 0});

    assertThat(run(check("a", "X-1", 1e300, lost)).status()).isEqualTo(Status.FAIL);
    assertThat(run(check("a", "X-1", 1e300, lostInArray)).status()).isEqualTo(Status.FAIL);
  }

  @Test
  void shouldFailWhenAConditionDoesNotHold() throws Exception {
    AuditOutcome outcome =
        run(check("a", "X-1", 1, any -> new Deviation().require(false).require(true)));

    assertThat(outcome).isEqualTo(new AuditOutcome(Status.FAIL, "0", "<= 1", ""));
  }

  @Test
  void shouldExplainFailuresAndKeepNotes() throws Exception {
    AuditCheck.Measurement measured = any -> Deviation.of(2).note("%d rows, %s", 3, 1e-7);

    assertThat(run(check("a", "X-1", 1, measured).failureMeans("it is wrong")).detail())
        .isEqualTo("it is wrong; 3 rows, 1e-7");
    assertThat(run(check("a", "X-1", 2, measured).failureMeans("it is wrong")).detail())
        .isEqualTo("3 rows, 1e-7");
  }

  @Test
  void shouldSkipWhatTheSettingsDoNotUse() throws Exception {
    AuditCheck row =
        check(
                "a",
                "X-1",
                any -> {
                  throw new IllegalStateException("must not run");
                })
            .unless(any -> true, "it is off")
            .failureMeans("it is wrong");

    assertThat(run(row)).isEqualTo(AuditOutcome.skipped("it is off"));
  }

  @Test
  void shouldMeasureRelativeToTheLargestExpectedNumber() {
    double[] expected = {0, -4};

    assertThat(Deviation.relative(new double[] {1, -4}, expected)).isEqualTo(0.25);
    assertThat(Deviation.relative(new double[] {1, 0}, new double[2])).isEqualTo(1);
    assertThat(Deviation.ofNorms(new double[] {3, 0}, expected)).isEqualTo(1.25);
  }
}
