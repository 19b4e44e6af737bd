package io.quantail.market.ledger;

import java.nio.file.Path;
import java.util.List;

/** A process that adds entries to a ledger, each in a call of its own. */
final class LedgerWriter {
  private LedgerWriter() {}

  /** Arguments: directory of the ledger, number of the process, number of entries. */
  public static void main(String[] arguments) {
    Ledger ledger = new Ledger(Path.of(arguments[0]), System.err::println);
    long process = Long.parseLong(arguments[1]);
    for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
      ledger.add(List.of(entry("settings-" + i, process, "day-1", "day-" + process)));
    }
  }

  static LedgerEntry entry(String settings, long seed, String... days) {
    return new LedgerEntry(
        LedgerEntry.Kind.TEST,
        settings,
        seed,
        "2024-01-02T00:00:00Z",
        0.01,
        40,
        "2024-01-01T00:00:00Z",
        "2024-01-02T00:00:00Z",
        null,
        List.of(days),
        null);
  }
}
