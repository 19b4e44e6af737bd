package io.quantail.checkpoint;

import io.quantail.tensor.Torch;
import java.util.Map;
import java.util.TreeMap;

/** What is running: our version and those on which bit-exact repetition depends. */
public final class Versions {
  private Versions() {}

  public static String quantail() {
    String version = Versions.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** All versions by name. */
  public static Map<String, String> all() {
    Map<String, String> versions = new TreeMap<>(Torch.versions());
    versions.put("quantail", quantail());
    versions.put("java", Runtime.version().toString());
    return versions;
  }
}
