package io.quantail.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloseAllTest {
  private final List<Integer> closed = new ArrayList<>();
  private final IOException first = new IOException("first");
  private final IOException second = new IOException("second");
  private final List<AutoCloseable> resources =
      List.of(() -> close(1, first), () -> close(2, null), () -> close(3, second));

  @Test
  void shouldCloseAllAndThrowTheFirstFailureWithTheOthers() {
    assertThatThrownBy(() -> CloseAll.close(resources))
        .isSameAs(first)
        .hasSuppressedException(second);
    assertThat(closed).containsExactly(1, 2, 3);
  }

  @Test
  void shouldAddFailuresToTheOneThatMadeClosingNecessary() {
    IllegalStateException cause = new IllegalStateException();

    CloseAll.closeAfter(cause, resources);

    assertThat(cause.getSuppressed()).containsExactly(first, second);
    assertThat(closed).containsExactly(1, 2, 3);
  }

  @Test
  void shouldAcceptTheSameFailureTwice() {
    assertThatThrownBy(() -> CloseAll.close(List.of(() -> close(1, first), () -> close(2, first))))
        .isSameAs(first);
    assertThat(closed).containsExactly(1, 2);
  }

  private void close(int number, IOException failure) throws IOException {
    closed.add(number);
    if (failure != null) {
      throw failure;
    }
  }
}
