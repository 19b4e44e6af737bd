package io.quantail.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Whole safetensors files for tests. */
final class SafetensorsFile {
  private SafetensorsFile() {}

  static void write(Path file, StateMap state) {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      Safetensors.write(state, channel::write);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  static StateMap read(Path file) {
    try (HashedFileReader reader = new HashedFileReader(file)) {
      return Safetensors.read(reader);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}
