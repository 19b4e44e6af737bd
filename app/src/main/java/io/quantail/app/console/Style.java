package io.quantail.app.console;

import java.util.Map;
import java.util.regex.Pattern;

/** Colours of text on a terminal that shows them; elsewhere a text stays as it is. */
public enum Style {
  BOLD("1"),
  RED("31"),
  GREEN("32"),
  YELLOW("33");

  private static final Pattern CODES = Pattern.compile("\u001b\\[[0-9;]*m");
  private static final Map<String, Style> STATUS =
      Map.of(
          "kept", GREEN,
          "pass", GREEN,
          "broken", RED,
          "fail", RED,
          "failed", RED,
          "error", RED,
          "undecided", YELLOW,
          "warning", YELLOW);

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** The text in this style, for standard output. */
  public String of(String text) {
    return Terminal.colours() && !text.isEmpty() ? written(text) : text;
  }

  /** The text in this style, for standard error. */
  String onErrors(String text) {
    return Terminal.errorColours() ? written(text) : text;
  }

  private String written(String text) {
    return "\u001b[" + code + "m" + text + "\u001b[0m";
  }

  /** A word such as {@code kept} or {@code broken} in its colour, for standard output. */
  static String status(String word) {
    Style style = STATUS.get(word);
    return style == null ? word : style.of(word);
  }

  /** Number of columns that a text takes, without the codes of colours. */
  static int width(String text) {
    return text.indexOf('\u001b') < 0 ? text.length() : CODES.matcher(text).replaceAll("").length();
  }
}
