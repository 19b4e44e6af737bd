package io.quantail.app;

/** What the command tells the shell. */
final class ExitCode {
  static final int OK = 0;
  static final int FAILED = 1;
  static final int USAGE = 2;
  static final int DATA = 3;
  static final int AUDIT = 4;
  static final int INTERRUPTED = 130;

  /** Never leaves the process: marks a fault that is ours. */
  static final int DEFECT = -1;

  private ExitCode() {}
}
