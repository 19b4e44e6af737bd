package io.quantail.app.console;

import java.util.List;

/** Sentences as indented paragraphs of wrapped lines. */
final class Paragraphs {
  private Paragraphs() {}

  /**
   * One paragraph for each sentence.
   *
   * @param title first line; empty for none
   */
  static String of(String title, List<String> sentences) {
    StringBuilder text = new StringBuilder();
    if (!title.isEmpty()) {
      text.append(title).append('\n');
    }
    sentences.forEach(sentence -> text.append(WrappedText.of(sentence, "  ", "    ")));
    return text.toString();
  }
}
