package io.quantail.state;

import io.quantail.state.SafetensorsHeader.Tensor;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Parses the JSON of a safetensors header and of nothing else: an object that maps names to objects
 * of {@code dtype}, {@code shape} and {@code data_offsets}, and optionally {@code __metadata__} to
 * an object of texts.
 *
 * <p>The form has a fixed depth, so the parser does not recurse, and its memory is bounded by the
 * size of the header. Any other input is a {@link StateException} with the position in the header.
 */
final class SafetensorsHeaderParser {
  private static final int QUOTED_CHARACTERS = 40;

  private final String json;
  private int position;

  SafetensorsHeaderParser(byte[] header) {
    try {
      json = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(header)).toString();
    } catch (CharacterCodingException malformed) {
      throw new StateException("the header is not UTF-8", malformed);
    }
  }

  /** Returns the arrays in the order of the header. */
  List<Tensor> tensors() {
    if (!json.startsWith("{")) {
      throw new StateException("the header is no JSON object");
    }
    List<Tensor> tensors = new ArrayList<>();
    object(
        name -> {
          if (name.equals(SafetensorsHeader.METADATA)) {
            metadata();
          } else {
            tensors.add(tensor(name));
          }
        });
    skipWhitespace();
    if (position < json.length()) {
      throw unexpected("the end of the header");
    }
    return List.copyOf(tensors);
  }

  private void metadata() {
    if (!startsWith('{')) {
      throw unexpected("an object of texts for " + SafetensorsHeader.METADATA);
    }
    object(name -> text("a text for " + SafetensorsHeader.METADATA));
  }

  private Tensor tensor(String name) {
    if (!startsWith('{')) {
      throw unexpected("an object for '" + name + "'");
    }
    Fields fields = new Fields(name);
    object(fields::read);
    return fields.tensor();
  }

  /** The fields of one array, in any order. */
  private final class Fields {
    private final String name;
    private @Nullable String dtype;
    private long @Nullable [] shape;
    private long @Nullable [] offsets;

    Fields(String name) {
      this.name = name;
    }

    void read(String field) {
      switch (field) {
        case "dtype" -> dtype = text("a text as dtype of '" + name + "'");
        case "shape" -> shape = numbers("shape of '" + name + "'");
        case "data_offsets" -> offsets = numbers("data_offsets of '" + name + "'");
        default -> throw malformed("has also '" + field + "'");
      }
    }

    Tensor tensor() {
      if (dtype == null || shape == null || offsets == null) {
        throw malformed("lacks one of them");
      }
      return SafetensorsHeader.tensor(name, dtype, shape, offsets);
    }

    private StateException malformed(String found) {
      return new StateException(
          "'" + name + "' must have dtype, shape and data_offsets; it " + found);
    }
  }

  @FunctionalInterface
  private interface Member {
    /** Reads the value of a member whose name has just been read. */
    void read(String name);
  }

  private void object(Member member) {
    expect('{');
    Set<String> names = new HashSet<>();
    if (skip('}')) {
      return;
    }
    do {
      String name = text("a name");
      if (!names.add(name)) {
        throw new StateException("duplicate name '" + name + "'");
      }
      expect(':');
      member.read(name);
    } while (skip(','));
    expect('}');
  }

  private long[] numbers(String what) {
    if (!startsWith('[')) {
      throw unexpected("an array of numbers as " + what);
    }
    expect('[');
    if (skip(']')) {
      return new long[0];
    }
    LongStream.Builder numbers = LongStream.builder();
    do {
      numbers.add(number(what));
    } while (skip(','));
    expect(']');
    return numbers.build().toArray();
  }

  /** Reads digits without a leading zero; the form has no sign, fraction or exponent. */
  private long number(String what) {
    skipWhitespace();
    int start = position;
    long number = 0;
    while (position < json.length() && isDigit(json.charAt(position))) {
      int digit = json.charAt(position) - '0';
      if (number > (Long.MAX_VALUE - digit) / 10) {
        break; // The remaining digit is reported as unexpected.
      }
      number = 10 * number + digit;
      position++;
    }
    boolean leadingZero = position > start + 1 && json.charAt(start) == '0';
    boolean continues = position < json.length() && isNumberPart(json.charAt(position));
    if (position == start || leadingZero || continues) {
      position = start;
      throw unexpected("an integer in [0, 2^63) in " + what);
    }
    return number;
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  private static boolean isNumberPart(char character) {
    return isDigit(character) || "+-.eE".indexOf(character) >= 0;
  }

  private String text(String what) {
    if (!startsWith('"')) {
      throw unexpected(what);
    }
    position++;
    StringBuilder text = new StringBuilder();
    for (char next = next(what); next != '"'; next = next(what)) {
      if (next < ' ') {
        position--;
        throw unexpected("an escape of a control character in " + what);
      }
      text.append(next == '\\' ? escaped(what) : next);
    }
    return text.toString();
  }

  private char escaped(String what) {
    char next = next(what);
    return switch (next) {
      case '"', '\\', '/' -> next;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode(what);
      default -> {
        position--;
        throw unexpected("one of \"\\/bfnrtu after \\ in " + what);
      }
    };
  }

  private char unicode(String what) {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = "0123456789abcdef".indexOf(Character.toLowerCase(next(what)));
      if (digit < 0) {
        position--;
        throw unexpected("four hexadecimal digits after \\u in " + what);
      }
      code = 16 * code + digit;
    }
    return (char) code;
  }

  private char next(String what) {
    if (position == json.length()) {
      throw unexpected("the rest of " + what);
    }
    return json.charAt(position++);
  }

  private void expect(char character) {
    if (!skip(character)) {
      throw unexpected("'" + character + "'");
    }
  }

  /** Moves past a character if it is the next one after white space. */
  private boolean skip(char character) {
    boolean found = startsWith(character);
    position += found ? 1 : 0;
    return found;
  }

  private boolean startsWith(char character) {
    skipWhitespace();
    return position < json.length() && json.charAt(position) == character;
  }

  private void skipWhitespace() {
    while (position < json.length() && " \t\n\r".indexOf(json.charAt(position)) >= 0) {
      position++;
    }
  }

  private StateException unexpected(String expected) {
    int end = Math.min(json.length(), position + QUOTED_CHARACTERS);
    String found = position < end ? "'" + json.substring(position, end) + "'" : "the end";
    return new StateException(
        String.format(
            Locale.ROOT, "expected %s at position %d, found %s", expected, position, found));
  }
}
