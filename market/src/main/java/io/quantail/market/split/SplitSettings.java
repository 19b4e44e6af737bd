package io.quantail.market.split;

import io.quantail.config.Check;
import io.quantail.config.ConfigException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Division of the data; section {@code market.split}.
 *
 * @param by division by fractions of the time range of the data, by dates, or into groups of a
 *     purged cross-validation; default {@code fractions}
 * @param train fraction for training; in (0, 1); default 0.7
 * @param validation fraction for validation; in [0, 1); the rest is for the test; default 0.15
 * @param trainDates {@code FROM/TO} in ISO-8601 (UTC), first and last close; required by {@code
 *     dates}; default empty
 * @param validationDates the same for validation; default empty: no validation bars
 * @param testDates the same for the test; required by {@code dates}; default empty
 * @param purgeBars bars omitted at the end of training and of validation; at least 0; default 0,
 *     which is 1 by {@code purged}
 * @param embargoBars bars omitted at the beginning of validation and of the test, by {@code purged}
 *     after each tested group; at least 0; default 0, which is one more than the longest window of
 *     a feature by {@code purged}, where fewer than the window are refused
 * @param groups number of groups of bars by {@code purged}; in [2, 1000]; default 6
 * @param testedGroups numbers of the groups that are tested by {@code purged}, from 1 on, in
 *     ascending order; the others are for training; default empty
 * @param joinBars bars that a symbol whose bars begin after the first training date must have
 *     before it takes part, by {@code dates}; at least 0; default 0: such a symbol is refused
 */
public record SplitSettings(
    By by,
    double train,
    double validation,
    String trainDates,
    String validationDates,
    String testDates,
    int purgeBars,
    int embargoBars,
    int groups,
    List<Integer> testedGroups,
    int joinBars) {

  /** Ways to divide the data. */
  public enum By {
    /** By fractions of the time range. */
    FRACTIONS,
    /** By dates. */
    DATES,
    /** Into groups of a purged cross-validation, see {@link CombinatorialSplitter}. */
    PURGED
  }

  public SplitSettings {
    Check.insideUnit("market.split.train", train);
    Check.decay("market.split.validation", validation);
    if (train + validation >= 1) {
      throw new ConfigException(
          "market.split.train and market.split.validation must add up to less than 1, so that bars"
              + " are left for the test; they add up to "
              + (train + validation));
    }
    Check.present("market.split.trainDates", trainDates);
    Check.present("market.split.validationDates", validationDates);
    Check.present("market.split.testDates", testDates);
    if (by == By.DATES) {
      Check.notBlank("market.split.trainDates", trainDates);
      Check.notBlank("market.split.testDates", testDates);
      requireDates("market.split.trainDates", trainDates);
      requireDates("market.split.testDates", testDates);
      if (!validationDates.isBlank()) {
        requireDates("market.split.validationDates", validationDates);
      }
    }
    Check.atLeast("market.split.purgeBars", purgeBars, 0);
    Check.atLeast("market.split.embargoBars", embargoBars, 0);
    Check.within("market.split.groups", groups, 2, 1000);
    Check.present("market.split.testedGroups", testedGroups);
    testedGroups = List.copyOf(testedGroups);
    Check.atLeast("market.split.joinBars", joinBars, 0);
    if (by == By.PURGED) {
      requireGroups(groups, testedGroups);
    }
  }

  private static void requireGroups(int groups, List<Integer> tested) {
    boolean ascending =
        IntStream.range(0, tested.size())
            .allMatch(
                i -> tested.get(i) > (i == 0 ? 0 : tested.get(i - 1)) && tested.get(i) <= groups);
    if (!ascending || tested.isEmpty() || tested.size() == groups) {
      throw new ConfigException(
          String.format(
                  Locale.ROOT,
                  "market.split.testedGroups must be ascending numbers from 1 to %d, at least one and not",
                  groups)
              + " all of them, was "
              + tested);
    }
  }

  private static void requireDates(String path, String dates) {
    if (!TimeRange.isValid(dates)) {
      throw new ConfigException(
          path
              + " must be FROM/TO with FROM not after TO, such as 2023-01-01/2023-06-30T16:00:00Z, was"
              + " \""
              + dates
              + "\"");
    }
  }

  /** The default settings. */
  public static SplitSettings defaults() {
    return new SplitSettings(By.FRACTIONS, 0.7, 0.15, "", "", "", 0, 0, 6, List.of(), 0);
  }
}
