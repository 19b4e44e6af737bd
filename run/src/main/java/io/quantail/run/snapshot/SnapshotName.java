package io.quantail.run.snapshot;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The directory name of a snapshot: {@code update-00000012}, and {@code update-00000012-2} if the
 * same update was written again with other content. Names are ordered by update, then attempt.
 */
record SnapshotName(long update, int attempt) implements Comparable<SnapshotName> {
  private static final Pattern PATTERN = Pattern.compile("update-(\\d{8,18})(?:-(\\d{1,9}))?");
  private static final Comparator<SnapshotName> ORDER =
      Comparator.comparingLong(SnapshotName::update).thenComparingInt(SnapshotName::attempt);

  static SnapshotName first(long update) {
    return new SnapshotName(update, 1);
  }

  SnapshotName next() {
    return new SnapshotName(update, attempt + 1);
  }

  /** Parses a directory name; empty for names that this program does not write. */
  static Optional<SnapshotName> parse(String text) {
    Matcher matcher = PATTERN.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int attempt = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
    SnapshotName name = new SnapshotName(Long.parseLong(matcher.group(1)), attempt);
    return name.toString().equals(text) ? Optional.of(name) : Optional.empty();
  }

  @Override
  public int compareTo(SnapshotName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "update-%08d", update) + (attempt == 1 ? "" : "-" + attempt);
  }
}
