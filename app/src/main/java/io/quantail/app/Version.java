package io.quantail.app;

import io.quantail.tensor.Torch;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.IVersionProvider;

/** What is running: our version and those on which bit-exact repetition depends. */
final class Version implements IVersionProvider {

  static String quantail() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** All versions by name. */
  static Map<String, String> all() {
    Map<String, String> versions = new TreeMap<>(Torch.versions());
    versions.put("quantail", quantail());
    versions.put("java", Runtime.version().toString());
    return versions;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"quantail " + quantail() + ", Java " + Runtime.version()};
  }
}
