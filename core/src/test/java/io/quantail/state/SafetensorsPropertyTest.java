package io.quantail.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.quantail.random.RandomStream;
import io.quantail.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Requirement("CKPT-1")
class SafetensorsPropertyTest {
  @Property(tries = 200)
  void shouldReadBackWhatWasWritten(@ForAll("arrays") List<StateArray> arrays) throws IOException {
    StateMap state = new StateMap();
    for (int i = 0; i < arrays.size(); i++) {
      state.put("group \"" + i % 3 + "\"/array." + i, arrays.get(i));
    }
    Path file = Files.createTempFile("state", ".safetensors");
    try {
      SafetensorsFile.write(file, state);
      StateMap back = SafetensorsFile.read(file);

      assertThat(back.entries()).isEqualTo(state.entries());
      assertThat(back.names()).isEqualTo(state.names());
    } finally {
      Files.delete(file);
    }
  }

  @Provide
  Arbitrary<List<StateArray>> arrays() {
    Arbitrary<long[]> shapes =
        Arbitraries.longs().between(0, 4).array(long[].class).ofMinSize(0).ofMaxSize(4);
    return Combinators.combine(Arbitraries.of(StateArray.Type.class), shapes, Arbitraries.longs())
        .as(SafetensorsPropertyTest::array)
        .list()
        .ofMaxSize(12);
  }

  private static StateArray array(StateArray.Type type, long[] shape, long seed) {
    byte[] bytes = new byte[(int) StateArray.byteCount(type, shape)];
    RandomStream random = RandomStream.of(seed, "bytes", 0);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) random.nextLong();
    }
    return StateArray.ofLittleEndian(type, shape, bytes);
  }
}
