package io.quantail.app.console;

import java.util.List;

/** Breaks sentences into lines of 80 columns. */
final class WrappedText {
  private static final int WIDTH = 80;

  private WrappedText() {}

  /**
   * One indented paragraph for each sentence.
   *
   * @param title first line
   */
  static String paragraphs(String title, List<String> sentences) {
    StringBuilder text = new StringBuilder(title).append('\n');
    sentences.forEach(sentence -> text.append(of(sentence, "  ", "    ")));
    return text.toString();
  }

  /** The words of a text on lines that end with a line feed. */
  static String of(String words) {
    return of(words, "", "");
  }

  /**
   * The words of a text on indented lines that end with a line feed.
   *
   * @param first indentation of the first line
   * @param others indentation of all other lines
   */
  static String of(String words, String first, String others) {
    StringBuilder text = new StringBuilder();
    String line = first;
    // A number and its unit stay on one line.
    for (String word : words.replace(" %", "\u00a0%").split(" ", -1)) {
      if (line.length() + word.length() > WIDTH && !line.isBlank()) {
        text.append(line.stripTrailing()).append('\n');
        line = others;
      }
      line += word + " ";
    }
    return text.append(line.stripTrailing()).append('\n').toString().replace('\u00a0', ' ');
  }
}
