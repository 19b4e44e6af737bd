package io.quantail.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Every byte of a directory. */
final class RunFiles {
  private RunFiles() {}

  /**
   * Hashes of all files by name, without those that tell the time or where they lie.
   *
   * @param others beginnings of names of files that are left out
   */
  static Map<String, String> hashes(Path directory, String... others) {
    Map<String, String> hashes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Arrays.stream(others).noneMatch(file.getFileName().toString()::startsWith)) {
          hashes.put(directory.relativize(file).toString(), hash(Files.readAllBytes(file)));
        }
      }
      return hashes;
    } catch (IOException | NoSuchAlgorithmException failure) {
      throw new IllegalStateException(failure);
    }
  }

  private static String hash(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }
}
