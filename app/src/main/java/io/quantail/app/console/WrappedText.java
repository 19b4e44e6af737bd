package io.quantail.app.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Breaks text into lines that fit the terminal. */
public final class WrappedText {
  private static final int LABEL = "  look closer ".length();
  private static final String OTHERS = " ".repeat(LABEL);

  /** A space of a command that is not between an option and its value, and not in quotes. */
  private static final String BREAK = "(?<! --[a-z-]{1,30}) (?=(?:[^']*'[^']*')*[^']*$)";

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
  public static String of(String words) {
    return of(words, "", "");
  }

  /** An entry of a summary: its name, and beside it the words. */
  public static String entry(String name, String words) {
    return of(words, label(name), OTHERS);
  }

  /** An entry of a summary that is a command: broken lines can be pasted into a shell. */
  public static String command(String name, String command) {
    return entry(name, command(LABEL, command));
  }

  /** The words, of which those that are longer than a line are broken. */
  static String broken(String words, String indent) {
    return String.join(" ", lines(words, Terminal.textWidth() - 2 * indent.length()));
  }

  /** The beginning of an entry of a summary. */
  static String label(String name) {
    return String.format(Locale.ROOT, "  %-12s", name);
  }

  /** A command with the ends of lines that a shell continues, where it has to be broken. */
  private static String command(int indent, String command) {
    int width = Terminal.textWidth() - indent;
    if (command.length() <= width) {
      return command;
    }
    StringJoiner lines = new StringJoiner(" \\ ");
    String line = "";
    for (String part : command.split(BREAK)) {
      boolean fits = line.length() + part.length() + 3 <= width;
      if (!line.isEmpty() && !fits) {
        lines.add(line.replace(' ', '\u00a0'));
        line = part;
      } else {
        line = line.isEmpty() ? part : line + " " + part;
      }
    }
    lines.add(line.replace(' ', '\u00a0'));
    return lines.toString().replace(" \\", "\u00a0\\");
  }

  /**
   * The words of a text on indented lines that end with a line feed.
   *
   * @param first indentation of the first line
   * @param others indentation of all other lines
   */
  public static String of(String words, String first, String others) {
    List<String> lines = new ArrayList<>();
    int width = Terminal.textWidth();
    for (String line : lines(words, width - Style.width(first), width - others.length())) {
      lines.add(((lines.isEmpty() ? first : others) + line).stripTrailing());
    }
    return String.join("\n", lines) + "\n";
  }

  /** The words of a text on lines of at most this width; a longer word is broken. */
  static List<String> lines(String words, int width) {
    return lines(words, width, width).stream()
        .flatMap(line -> pieces(line, width).stream())
        .toList();
  }

  /**
   * A word that does not fit has a line of its own, where the terminal breaks it: it may be a path
   * or a command, which can be copied then.
   */
  private static List<String> lines(String words, int firstWidth, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int used = 0;
    // A number and its unit stay on one line.
    for (String word : words.replace(" %", "\u00a0%").split(" ", -1)) {
      int length = Style.width(word);
      if (used > 0 && used + 1 + length > (lines.isEmpty() ? firstWidth : width)) {
        lines.add(line.toString());
        line.setLength(0);
        used = 0;
      } else if (used > 0) {
        line.append(' ');
        used++;
      }
      line.append(word);
      used += length;
    }
    lines.add(line.toString());
    return lines.stream().map(one -> one.replace('\u00a0', ' ')).toList();
  }

  private static List<String> pieces(String line, int width) {
    if (Style.width(line) <= width) {
      return List.of(line);
    }
    List<String> pieces = new ArrayList<>();
    String rest = line;
    while (rest.length() > width) {
      int end = breakIn(rest, width);
      pieces.add(rest.substring(0, end));
      rest = rest.substring(end);
    }
    pieces.add(rest);
    return pieces;
  }

  /** Where to break a long word: after a sign in its second half, else anywhere. */
  private static int breakIn(String word, int width) {
    for (int end = width; end > width / 2; end--) {
      if ("/,=-_.+".indexOf(word.charAt(end - 1)) >= 0) {
        return end;
      }
    }
    return width;
  }
}
