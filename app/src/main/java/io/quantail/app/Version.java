package io.quantail.app;

import io.quantail.run.Versions;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} says. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {"quantail " + Versions.quantail() + ", Java " + Runtime.version()};
  }
}
