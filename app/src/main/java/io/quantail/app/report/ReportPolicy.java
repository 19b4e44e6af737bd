package io.quantail.app.report;

/** The content security policy of the pages that this build writes. */
public final class ReportPolicy {
  /** Allows the two scripts of a page and nothing else. */
  public static final String POLICY = Page.POLICY;

  /** How a page states it. */
  public static final String META = "content=\"" + POLICY + "\"";

  private ReportPolicy() {}
}
