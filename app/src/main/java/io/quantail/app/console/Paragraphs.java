package io.quantail.app.console;

import java.util.List;

/** Sentences as lines of at most {@value #WIDTH} characters. */
final class Paragraphs {
  private static final int WIDTH = 80;

  private Paragraphs() {}

  /**
   * One paragraph for each sentence.
   *
   * @param title first line; empty for none
   */
  static String of(String title, List<String> sentences) {
    StringBuilder text = new StringBuilder();
    if (!title.isEmpty()) {
      text.append(title).append(System.lineSeparator());
    }
    sentences.forEach(sentence -> append(text, sentence));
    return text.toString();
  }

  private static void append(StringBuilder text, String sentence) {
    StringBuilder line = new StringBuilder(" ");
    // A number and its unit stay on one line.
    for (String word : sentence.replace(" %", "\u00a0%").split(" ", -1)) {
      if (line.length() + 1 + word.length() > WIDTH) {
        text.append(line.toString().replace('\u00a0', ' ')).append(System.lineSeparator());
        line = new StringBuilder("   ");
      }
      line.append(' ').append(word);
    }
    text.append(line.toString().replace('\u00a0', ' ')).append(System.lineSeparator());
  }
}
