package io.quantail.app;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks the exit code and the message of a refused command. */
public final class Refusal {
  private Refusal() {}

  /**
   * One line on standard error that holds all the parts, perhaps after the one that begins a
   * training; nothing on standard output.
   */
  public static void require(Invocation invocation, int code, String... parts) {
    String error = invocation.err().replaceFirst("^Training [^\n]*\n", "");
    assertThat(error).startsWith("quantail: ").hasLineCount(1).contains(parts);
    assertThat(invocation.out()).isEmpty();
    assertThat(invocation.code()).isEqualTo(code);
  }
}
