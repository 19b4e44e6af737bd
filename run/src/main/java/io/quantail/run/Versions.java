package io.quantail.run;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The versions of this program, of Java and of the platform. */
public final class Versions {
  private static final Map<String, String> PROCESSORS =
      Map.of("amd64", "x86_64", "aarch64", "arm64");

  private Versions() {}

  /** {@return the version of this program, or {@code development} if it runs unpackaged} */
  public static String quantail() {
    String version = Versions.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** {@return all versions by name} */
  public static Map<String, String> all() {
    Map<String, String> versions = new TreeMap<>();
    versions.put("quantail", quantail());
    versions.put("java", Runtime.version().toString());
    versions.put("platform", platform());
    return versions;
  }

  /** Operating system and processor, such as {@code linux-x86_64}. */
  private static String platform() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(" ", "");
    String processor = System.getProperty("os.arch");
    return system.replaceFirst("^windows.*", "windows")
        + "-"
        + PROCESSORS.getOrDefault(processor, processor);
  }
}
