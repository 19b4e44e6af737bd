package io.quantail.checkpoint;

import java.util.Map;
import java.util.TreeMap;

/** What is running: our version, Java and the platform. */
public final class Versions {
  private Versions() {}

  public static String quantail() {
    String version = Versions.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** All versions by name. */
  public static Map<String, String> all() {
    Map<String, String> versions = new TreeMap<>();
    versions.put("quantail", quantail());
    versions.put("java", Runtime.version().toString());
    versions.put("platform", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    return versions;
  }
}
