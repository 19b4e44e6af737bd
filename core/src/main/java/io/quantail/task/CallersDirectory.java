package io.quantail.task;

import java.nio.file.Path;

/**
 * Resolves relative paths of settings against the directory in which the user started the command,
 * also in processes that a cluster starts elsewhere.
 */
public final class CallersDirectory {
  /** System property with that directory. */
  public static final String PROPERTY = "quantail.directory";

  private CallersDirectory() {}

  /** The path, or pattern of paths, in a form that is the same in every process. */
  public static String resolve(String name) {
    String directory = System.getProperty(PROPERTY);
    boolean remote = name.contains("://");
    return directory == null || remote ? name : Path.of(directory).resolve(name).toString();
  }
}
