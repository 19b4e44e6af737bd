package io.quantail.market.walkforward;

import io.quantail.market.split.CombinatorialSplitter;
import io.quantail.market.split.WalkForwardSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * One split of a combinatorial purged cross-validation.
 *
 * @param number from 1 on, in the order of {@link CombinatorialSplitter#choices}
 * @param groups number of all groups
 * @param tested numbers of the tested groups, from 1 on
 */
public record PurgedFold(int number, int groups, List<Integer> tested) implements Fold {
  public PurgedFold {
    tested = List.copyOf(tested);
  }

  /**
   * All splits of {@code market.walkforward}.
   *
   * @throws io.quantail.market.data.DataException if there are too many
   */
  public static List<PurgedFold> of(WalkForwardSettings settings) {
    List<PurgedFold> folds = new ArrayList<>();
    for (List<Integer> choice :
        CombinatorialSplitter.choices(settings.groups(), settings.testGroups())) {
      List<Integer> numbers = choice.stream().map(group -> group + 1).toList();
      folds.add(new PurgedFold(folds.size() + 1, settings.groups(), numbers));
    }
    return folds;
  }

  /** Purge and embargo are those of the base settings. */
  @Override
  public List<String> split() {
    return List.of(
        "market.split.by=purged",
        "market.split.groups=" + groups,
        "market.split.testedGroups=" + tested);
  }
}
