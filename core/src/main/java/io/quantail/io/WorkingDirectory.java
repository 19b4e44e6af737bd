package io.quantail.io;

import java.nio.file.Path;

/**
 * The directory that relative file names in settings refer to: the one in which the user ran the
 * command, also in processes that a cluster starts elsewhere.
 */
public final class WorkingDirectory {
  /** System property that names the user's directory in processes started elsewhere. */
  public static final String PROPERTY = "quantail.directory";

  private WorkingDirectory() {}

  /** Resolves a file name or a pattern of names; absolute names and URLs stay as they are. */
  public static String resolve(String name) {
    String directory = System.getProperty(PROPERTY);
    boolean remote = name.contains("://");
    return directory == null || remote ? name : Path.of(directory).resolve(name).toString();
  }
}
