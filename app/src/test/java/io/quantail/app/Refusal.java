package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks the exit code and the message of a refused command. */
public final class Refusal {
  private Refusal() {}

  /** One line on standard error that holds all the parts, nothing on standard output. */
  public static void require(Invocation invocation, int code, String... parts) {
    assertThat(invocation.err()).startsWith("quantail: ").hasLineCount(1).contains(parts);
    assertThat(invocation.out()).isEmpty();
    assertThat(invocation.code()).isEqualTo(code);
  }
}
