package io.quantail.gymnasium;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes the Python package that the jar carries into a zip archive, from which Python imports. */
final class HelperArchive {
  private static final String PACKAGE = "quantail_gymnasium/";
  private static final List<String> FILES =
      List.of(
          "__init__.py", "__main__.py", "environments.py", "protocol.py", "spaces.py", "worker.py");

  private HelperArchive() {}

  static void write(Path file) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (String name : FILES) {
        try (InputStream source = HelperArchive.class.getResourceAsStream(PACKAGE + name)) {
          if (source == null) {
            throw new IOException("the jar quantail-gymnasium lacks " + PACKAGE + name);
          }
          zip.putNextEntry(new ZipEntry(PACKAGE + name));
          source.transferTo(zip);
          zip.closeEntry();
        }
      }
    }
  }
}
