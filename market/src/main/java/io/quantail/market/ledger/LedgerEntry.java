package io.quantail.market.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.quantail.config.RunConfig;
import io.quantail.io.Sha256;
import io.quantail.run.Ancestor;
import io.quantail.run.settings.ConfigDiff;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One evaluation of an agent on bars that it did not learn from; one line of the {@link Ledger}.
 *
 * @param kind what the evaluation was for
 * @param settings hash of the settings, without seed, data and number of episodes
 * @param seed of the agent
 * @param moment when it was recorded, ISO-8601 (UTC); null before
 * @param sharpe Sharpe ratio per bar; null if it is not defined or not known
 * @param bars number of returns
 * @param from close of the first bar, ISO-8601 (UTC)
 * @param to close of the last bar, ISO-8601 (UTC)
 * @param series file of the returns, see {@link ReturnSeries}: relative to the directory of the
 *     file that contains this entry, or absolute; null if there is none
 * @param days hashes of the days, see {@link io.quantail.evidence.BarDays#hashes}
 * @param ancestor the run whose agent the training started with; null for new weights
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LedgerEntry(
    Kind kind,
    String settings,
    long seed,
    @Nullable String moment,
    @Nullable Double sharpe,
    int bars,
    String from,
    String to,
    @Nullable String series,
    List<String> days,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Ancestry ancestor) {

  /** What an evaluation was for. */
  public enum Kind {
    /** The evaluation of a result; counts as a trial. */
    @JsonProperty("test")
    TEST,
    /**
     * The validation of an agent while it trains, by which it or its settings can be chosen: one
     * entry per agent however often it was validated, which is not counted.
     */
    @JsonProperty("selection")
    SELECTION
  }

  public LedgerEntry {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(settings, "settings");
    Instant.parse(from); // refuses what is no time
    Instant.parse(to);
    if (moment != null) {
      Instant.parse(moment);
    }
    days = List.copyOf(days);
    if (days.isEmpty()) {
      throw new IllegalArgumentException("an entry needs at least one day");
    }
  }

  /**
   * The hash that identifies the settings of an agent. It leaves out what does not distinguish
   * trials on the same bars: the seed, which is a field of its own, names of files and symbols, and
   * the number of evaluation episodes, which markets do not have.
   */
  public static String settingsHash(RunConfig config) {
    return ConfigDiff.hashWithout(config, List.of("seed", "market.data.", "evaluation."));
  }

  /**
   * The run that a training started with.
   *
   * @param run its directory
   * @param snapshot SHA-256 of the manifest of its snapshot
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Ancestry(String run, String snapshot) {
    public Ancestry {
      Objects.requireNonNull(run, "run");
      Objects.requireNonNull(snapshot, "snapshot");
    }
  }

  /** The entry of an agent whose training started with a run, which makes it another agent. */
  LedgerEntry from(Ancestor parent) {
    String hash = Sha256.hex(settings + " " + parent.snapshot());
    Ancestry named = new Ancestry(parent.run(), parent.snapshot());
    return new LedgerEntry(kind, hash, seed, moment, sharpe, bars, from, to, series, days, named);
  }

  LedgerEntry withSettings(String hash) {
    return new LedgerEntry(
        kind, hash, seed, moment, sharpe, bars, from, to, series, days, ancestor);
  }

  LedgerEntry withDays(List<String> same) {
    return new LedgerEntry(
        kind, settings, seed, moment, sharpe, bars, from, to, series, same, ancestor);
  }

  /** The entry with the time of recording, null before, and a file of returns. */
  LedgerEntry recorded(@Nullable String time, @Nullable String file) {
    return new LedgerEntry(
        kind, settings, seed, time, sharpe, bars, from, to, file, days, ancestor);
  }

  /** The same bars as a selection, of which no returns are known. */
  LedgerEntry asSelection(String hash, long ofSeed) {
    return new LedgerEntry(
        Kind.SELECTION, hash, ofSeed, null, null, bars, from, to, null, days, ancestor);
  }

  /** Settings and seed: two entries with the same ones are one trial. */
  Agent agent() {
    return new Agent(settings, seed);
  }

  record Agent(String settings, long seed) {}
}
