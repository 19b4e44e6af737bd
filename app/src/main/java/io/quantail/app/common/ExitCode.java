package io.quantail.app.common;

/** What the command tells the shell. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;
  public static final int DATA = 3;
  public static final int AUDIT = 4;
  public static final int INTERRUPTED = 130;

  /** Never leaves the process: marks a fault that is ours. */
  public static final int DEFECT = -1;

  private ExitCode() {}
}
