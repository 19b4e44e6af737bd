package io.quantail.app.common;

/** Exit codes of the command. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int FAILED = 1;
  public static final int USAGE = 2;
  public static final int DATA = 3;
  public static final int AUDIT = 4;
  public static final int INTERRUPTED = 130;

  /** Marks a defect of the program inside the process; never an exit code. */
  public static final int DEFECT = -1;

  private ExitCode() {}
}
