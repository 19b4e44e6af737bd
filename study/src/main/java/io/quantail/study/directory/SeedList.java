package io.quantail.study.directory;

import io.quantail.config.ConfigException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses lists of seeds: {@code 1,2,5}, {@code 1-5} or both. */
public final class SeedList {
  /** A longer list is taken for a typing error. */
  private static final int MOST = 10_000;

  private static final Pattern RANGE = Pattern.compile("(\\d{1,18})-(\\d{1,18})");
  private static final Pattern ONE = Pattern.compile("-?\\d{1,18}");

  private SeedList() {}

  /**
   * Parses a list.
   *
   * @param text seeds and ranges of seeds, separated by commas
   * @return the seeds in the order in which they are written
   * @throws ConfigException if the text is no such list or names a seed twice
   */
  public static List<Long> parse(String text) {
    Set<Long> seeds = new LinkedHashSet<>();
    for (String part : text.split(",", -1)) {
      for (long seed : range(part.strip(), text)) {
        if (!seeds.add(seed)) {
          throw new ConfigException(
              String.format(Locale.ROOT, "--seeds names %d twice, was %s", seed, text));
        }
      }
    }
    return List.copyOf(seeds);
  }

  private static List<Long> range(String part, String text) {
    if (ONE.matcher(part).matches()) {
      return List.of(Long.parseLong(part));
    }
    Matcher range = RANGE.matcher(part);
    if (!range.matches()) {
      throw new ConfigException("--seeds wants a list or range such as 1,2,5 or 1-5, was " + text);
    }
    long first = Long.parseLong(range.group(1));
    long last = Long.parseLong(range.group(2));
    if (first > last) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "--seeds wants the smaller one first, such as %d-%d, was %s",
              last,
              first,
              text));
    }
    if (last - first >= MOST) {
      throw new ConfigException(
          String.format(Locale.ROOT, "--seeds wants at most %d seeds, was %s", MOST, text));
    }
    List<Long> seeds = new ArrayList<>();
    for (long seed = first; seed <= last; seed++) {
      seeds.add(seed);
    }
    return seeds;
  }
}
