package io.quantail.task;

import java.nio.file.Path;

/**
 * Relative names in settings mean the directory in which the user gave the command, also in
 * processes that a cluster starts elsewhere.
 */
public final class CallersDirectory {
  /** System property by which such a process is told. */
  public static final String PROPERTY = "quantail.directory";

  private CallersDirectory() {}

  /** A name of a file, or a pattern of names, that means the same in every process. */
  public static String resolve(String name) {
    String directory = System.getProperty(PROPERTY);
    boolean remote = name.contains("://");
    return directory == null || remote ? name : Path.of(directory).resolve(name).toString();
  }
}
