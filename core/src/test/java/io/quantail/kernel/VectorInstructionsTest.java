package io.quantail.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The options of the command line as compiler directives. */
class VectorInstructionsTest {
  @Test
  void shouldForbidInliningTheLoopsOnly() {
    assertThat(VectorInstructions.compilerDirectives())
        .isEqualTo(
            "[{match: [\"io/quantail/*.*\"], inline: [\"-io/quantail/simd/MatrixTiles.*\","
                + " \"-io/quantail/simd/TanhLoop.*\", \"-io/quantail/simd/LstmGateLoops.*\","
                + " \"-io/quantail/simd/QuantileHuberLoop.*\"]}]");
  }

  @Test
  void shouldRecogniseAJvmThatWasStartedWithThem() {
    assertThat(
            VectorInstructions.hasOptions(
                List.of("-Xmx1g", "-XX:CompileCommand=dontinline,io.quantail.simd.TanhLoop::*")))
        .isTrue();
    assertThat(VectorInstructions.hasOptions(List.of("--add-modules=jdk.incubator.vector")))
        .isFalse();
  }
}
