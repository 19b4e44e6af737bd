package io.quantail.testing.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * One vector: typed access to its inputs, and comparison with its expected values.
 *
 * <p>Fields that the vector does not expect are not compared. The other way round, {@link
 * #requireComplete} fails when the vector expects a field that the check did not compare. Fields
 * about the program from whose audits the requirements come ({@code *_original*}) are not checked.
 */
public final class VectorCase {
  private static final Pattern ORIGINAL = Pattern.compile("(^|_)original(_|$)");

  private static final double SINGLE_PRECISION_ROUNDINGS = 4 * 0x1p-24;

  private final JsonNode vector;
  private final Tolerance tolerance;
  private double rounding; // allowed on top of the tolerance
  private final Set<String> seen = new HashSet<>();

  VectorCase(JsonNode vector) {
    this.vector = vector;
    this.tolerance = Tolerance.of(vector);
  }

  static boolean isAboutOriginal(String name) {
    return ORIGINAL.matcher(name).find();
  }

  public String name() {
    return vector.path("name").asText();
  }

  public boolean has(String input) {
    return vector.path("inputs").has(input);
  }

  /** The input as it stands in the file. */
  public JsonNode input(String input) {
    JsonNode node = vector.path("inputs").path(input);
    if (node.isMissingNode()) {
      throw new AssertionError("vector " + name() + " has no input " + input);
    }
    return node;
  }

  public double number(String input) {
    return VectorJson.number(input(input));
  }

  /** The number, or the default when the vector does not have it. */
  public double number(String input, double defaultValue) {
    return has(input) ? number(input) : defaultValue;
  }

  public int integer(String input) {
    return Math.toIntExact((long) number(input));
  }

  /** All numbers of an array of any depth, row by row. */
  public double[] doubles(String input) {
    return VectorJson.flat(input(input));
  }

  public double[][] matrix(String input) {
    return IntStream.range(0, input(input).size())
        .mapToObj(row -> VectorJson.flat(input(input).get(row)))
        .toArray(double[][]::new);
  }

  public int[] integers(String input) {
    return Arrays.stream(doubles(input)).mapToInt(value -> Math.toIntExact((long) value)).toArray();
  }

  /** Flags written as true and false or as 1 and 0. */
  public boolean[] flags(String input) {
    double[] numbers = doubles(input);
    boolean[] flags = new boolean[numbers.length];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = numbers[i] != 0;
    }
    return flags;
  }

  public List<String> texts(String input) {
    return IntStream.range(0, input(input).size())
        .mapToObj(index -> input(input).get(index).asText())
        .toList();
  }

  /**
   * Adds the error of rounding to single precision to the tolerance: from now on four roundings of
   * a number of the given size. For checks whose code computes in single precision.
   *
   * @param magnitude of the largest number that the results are sums of
   */
  public void allowSinglePrecision(double magnitude) {
    rounding = SINGLE_PRECISION_ROUNDINGS * Math.abs(magnitude);
  }

  /** Whether the vector expects the field. */
  public boolean expects(String field) {
    return vector.path("expected").has(field);
  }

  /** The expected values as in the file; they count as compared. */
  public JsonNode expected(String field) {
    seen.add(field);
    return vector.path("expected").path(field);
  }

  public void expect(String field, double actual) {
    expectShaped(field, List.of(), actual);
  }

  public void expect(String field, double[] actual) {
    expectShaped(field, List.of(actual.length), actual);
  }

  public void expect(String field, double[][] actual) {
    int columns = actual.length == 0 ? 0 : actual[0].length;
    double[] flat = Arrays.stream(actual).flatMapToDouble(Arrays::stream).toArray();
    expectShaped(field, List.of(actual.length, columns), flat);
  }

  /** Compares row by row with an array of any depth. */
  public void expectFlat(String field, double[] actual) {
    if (expects(field)) {
      compare(field, VectorJson.flat(expected(field)), actual);
    }
  }

  /** Compares an object of named numbers, each with the result of the function for its name. */
  public void expectEntries(String field, ToDoubleFunction<String> actual) {
    if (expects(field)) {
      expected(field)
          .properties()
          .forEach(
              entry ->
                  compare(
                      field + "." + entry.getKey(),
                      new double[] {VectorJson.number(entry.getValue())},
                      new double[] {actual.applyAsDouble(entry.getKey())}));
    }
  }

  /** Compares with a part of the expected values, row by row. */
  public void compareWith(String label, JsonNode part, double... actual) {
    compare(label, VectorJson.flat(part), actual);
  }

  /** Undefined is written as {@code null}. */
  public void expect(String field, OptionalDouble actual) {
    expect(field, actual.orElse(Double.NaN));
  }

  public void expect(String field, int actual) {
    expect(field, new int[] {actual});
  }

  /** Whole numbers have to agree exactly, row by row. */
  public void expect(String field, int[] actual) {
    if (expects(field)) {
      double[] numbers = Arrays.stream(actual).asDoubleStream().toArray();
      assertThat(numbers)
          .as("%s: %s", name(), field)
          .containsExactly(VectorJson.flat(expected(field)));
    }
  }

  public void expect(String field, boolean actual) {
    expect(field, actual ? 1 : 0);
  }

  public void expect(String field, boolean[] actual) {
    expect(field, IntStream.range(0, actual.length).map(i -> actual[i] ? 1 : 0).toArray());
  }

  public void expect(String field, String actual) {
    if (expects(field)) {
      assertThat(actual).as("%s: %s", name(), field).isEqualTo(expected(field).asText());
    }
  }

  /**
   * Makes sure that a known mistake was not made: the field, of {@code must_not_equal} or of {@code
   * expected}, must not agree with the actual numbers. The check is skipped where the expected
   * value agrees with the mistake by coincidence.
   */
  public void expectNot(String mistake, String rightField, double... actual) {
    seen.add(mistake);
    JsonNode listed = vector.path("must_not_equal").path(mistake);
    JsonNode wrong = listed.isMissingNode() ? vector.path("expected").path(mistake) : listed;
    if (wrong.isMissingNode()
        || agrees(wrong, VectorJson.flat(vector.path("expected").path(rightField)))) {
      return;
    }
    assertThat(agrees(wrong, actual))
        .as("%s: the actual numbers are those of %s", name(), mistake)
        .isFalse();
  }

  /** Declares that an expected field is not for us. */
  public void ignore(String field, String reason) {
    assertThat(reason).as("reason to ignore %s", field).isNotBlank();
    seen.add(field);
  }

  /** Fails when a field of the vector was not looked at, or none was. */
  void requireComplete() {
    Set<String> unseen = new TreeSet<>();
    vector.path("expected").properties().forEach(entry -> unseen.add(entry.getKey()));
    vector.path("must_not_equal").properties().forEach(entry -> unseen.add(entry.getKey()));
    unseen.removeIf(field -> seen.contains(field) || isAboutOriginal(field));
    assertThat(unseen).as("fields that the check of %s does not compare", name()).isEmpty();
    assertThat(seen).as("fields that the check of %s compares", name()).isNotEmpty();
  }

  private void expectShaped(String field, List<Integer> shape, double... actual) {
    if (expects(field)) {
      assertThat(shape)
          .as("%s: shape of %s", name(), field)
          .isEqualTo(VectorJson.shape(expected(field)));
      compare(field, VectorJson.flat(expected(field)), actual);
    }
  }

  private void compare(String field, double[] expected, double[] actual) {
    assertThat(actual.length)
        .as("%s: number of values of %s", name(), field)
        .isEqualTo(expected.length);
    for (int i = 0; i < expected.length; i++) {
      assertThat(tolerance.accepts(actual[i], expected[i], rounding))
          .as("%s: %s[%d] expected %s, was %s", name(), field, i, expected[i], actual[i])
          .isTrue();
    }
  }

  private boolean agrees(JsonNode node, double[] numbers) {
    double[] others = VectorJson.flat(node);
    return others.length == numbers.length
        && IntStream.range(0, others.length)
            .allMatch(i -> tolerance.accepts(numbers[i], others[i], rounding));
  }
}
