package io.quantail.market;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.RiskConfig;
import io.quantail.config.SettingNames;
import io.quantail.config.TrainingConfig;
import io.quantail.io.AtomicFiles;
import io.quantail.market.data.BarLength;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.feature.FeatureScaler;
import io.quantail.market.feature.FeatureSpec;
import io.quantail.market.split.BarRange;
import io.quantail.market.split.BarSplit;
import io.quantail.market.trading.TrainingVolatility;
import io.quantail.run.RunLayout;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Features and scaling of a trained agent, which restore its observations on other bars; the file
 * {@code market.json} of a run.
 *
 * @param features in their written form
 * @param beyond scaling of values beyond the training percentiles; {@code cut} in files that lack
 *     it
 * @param barMillis duration of a bar of each symbol
 * @param symbols that the agent was trained on
 * @param fingerprints of their bars
 * @param scaler fitted to the training bars
 * @param volatility of the training bars; null in files of older builds
 * @param seen bars that the agent learnt from; null in files of older builds
 */
public record MarketManifest(
    List<String> features,
    FeatureSpec.@Nullable Beyond beyond,
    List<Long> barMillis,
    List<String> symbols,
    List<String> fingerprints,
    FeatureScaler scaler,
    @Nullable TrainingVolatility volatility,
    @Nullable SeenBars seen) {
  /** Name of the file in a run directory. */
  public static final String FILE = RunLayout.MARKET;

  /**
   * Returns features and scaling of a market.
   *
   * @param market market that an agent is trained in
   * @param training how its agent is chosen, section {@code training}
   * @return the contents of the file
   */
  public static MarketManifest of(Market market, TrainingConfig training) {
    FeatureSpec spec = market.config().features().spec();
    return new MarketManifest(
        spec.written(),
        spec.beyond(),
        market.bars().stream().map(Bars::barMillis).toList(),
        market.bars().stream().map(Bars::symbol).toList(),
        market.fingerprints(),
        market.scaler(),
        market.volatility().orElse(null),
        new SeenBars(learnt(market, training), market.inherits() ? market.learnt() : null));
  }

  /** Training bars, and validation bars by which the agent is chosen. */
  private static List<SeenBars.Range> learnt(Market market, TrainingConfig training) {
    boolean chosen =
        training.keep() == TrainingConfig.Keep.BEST_VALIDATION || training.patience() != null;
    List<List<BarRange>> ranges = new ArrayList<>();
    for (BarSplit fold : market.folds()) {
      List<BarRange> learnt = new ArrayList<>(fold.training());
      if (chosen) {
        learnt.add(fold.validation());
      }
      ranges.add(learnt);
    }
    return SeenBars.ranges(market.bars(), ranges);
  }

  /**
   * Writes the file into a run directory.
   *
   * @param directory directory of the run
   * @throws UncheckedIOException if the file cannot be written
   */
  public void write(Path directory) {
    Path file = directory.resolve(FILE);
    try {
      AtomicFiles.write(file, Json.INDENTED.writeValueAsString(this));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot write " + file, failure);
    }
  }

  /**
   * Reads the file of a run directory.
   *
   * @param directory directory of the run
   * @return features and scaling of the run's agent
   * @throws DataException if the file is missing or damaged
   * @throws UncheckedIOException if the file cannot be read
   */
  public static MarketManifest read(Path directory) {
    Path file = directory.resolve(FILE);
    if (!Files.isRegularFile(file)) {
      throw new DataException(
          "%s is missing, so features and scaling cannot be restored; train again".formatted(file));
    }
    try {
      return parse(Json.MAPPER.readTree(file.toFile()));
    } catch (JsonProcessingException | IllegalArgumentException malformed) {
      throw new DataException(
          "%s is damaged (%s); restore the file that train wrote, or train again"
              .formatted(file, firstLine(Objects.requireNonNull(malformed.getMessage()))));
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot read " + file, failure);
    }
  }

  private static MarketManifest parse(JsonNode root) throws JsonProcessingException {
    MarketManifest bundle = Json.MAPPER.treeToValue(root, MarketManifest.class);
    boolean whole =
        bundle.features != null
            && bundle.barMillis != null
            && bundle.symbols != null
            && bundle.fingerprints != null
            && bundle.scaler != null
            && bundle.scaler.columns().size() == bundle.features.size()
            && bundle.spec().hash().equals(bundle.scaler.specHash());
    if (!whole) {
      throw new IllegalArgumentException("features and scaling do not match");
    }
    return bundle;
  }

  private FeatureSpec spec() {
    return FeatureSpec.parse(features, Objects.requireNonNullElse(beyond, FeatureSpec.Beyond.CUT));
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  /**
   * Restores the market that the agent was trained in.
   *
   * @param config settings of the agent's run, section {@code market}
   * @param risk the limit that risk units refer to, section {@code risk}
   * @return the market with the scaling of training
   * @throws DataException if the features of the settings differ from those of training, or if the
   *     bars have changed since or are refused
   */
  public Market ownMarket(MarketConfig config, RiskConfig risk) {
    requireFeatures(config, "restore config.yaml, or train again");
    List<Bars> bars = Market.read(config.data());
    List<String> found = bars.stream().map(Bars::fingerprint).toList();
    if (!found.equals(fingerprints)) {
      throw new DataException(
          "the data of the run (%s) have changed: the fingerprints were %s, are %s;"
                  .formatted(config.data().files(), fingerprints, found)
              + " restore the old data, or evaluate these with --data");
    }
    return reopen(config, risk, bars);
  }

  private Market reopen(MarketConfig config, RiskConfig risk, List<Bars> bars) {
    return Market.reopen(config, risk, bars, scaler, volatility, inherited());
  }

  /** Whether scaling and risk units are those of an ancestor. */
  boolean inherits() {
    return !inherited().isEmpty();
  }

  private List<SeenBars.Range> inherited() {
    return seen == null ? List.of() : Objects.requireNonNullElse(seen.inherited(), List.of());
  }

  /**
   * Builds the market of a training that starts with the agent of this run: with its scaling and
   * risk units, so that the weights see what they learnt on.
   *
   * @param config settings of the training, section {@code market}
   * @param risk the limit that risk units refer to, section {@code risk}
   * @param run settings of this run, section {@code market}
   * @param training how the agent of this run was chosen
   * @return the market, whose validation and test bars the agent has not learnt from
   * @throws DataException if features or the length of bars differ from those of this run, if a
   *     file is refused, or if validation or test bars were seen
   */
  Market descendant(
      MarketConfig config, RiskConfig risk, MarketConfig run, TrainingConfig training) {
    requireFeatures(config, "use the same features, or start with new weights");
    List<Bars> bars = Market.read(config.data());
    requireLengths(config.data().files(), bars);
    List<SeenBars.Range> learnt = (seen == null ? rebuilt(run, risk, training) : seen).all();
    return Market.descendant(config, risk, bars, scaler, volatility, learnt);
  }

  /** What older builds did not write; needs the bars of the run. */
  private SeenBars rebuilt(MarketConfig run, RiskConfig risk, TrainingConfig training) {
    try {
      return Objects.requireNonNull(of(ownMarket(run, risk), training).seen);
    } catch (DataException changed) {
      throw new DataException(
          "the run is of an older build that did not write which bars it was trained on, and they cannot be read again: "
              + changed.getMessage());
    }
  }

  /**
   * Builds a market from other bars with the features and scaling of training.
   *
   * @param config settings of the agent's run, section {@code market}
   * @param risk the limit that risk units refer to, section {@code risk}
   * @param files one entry per symbol, as in {@code market.data.files}
   * @param gapsAllowed whether bars may be missing even if the run's settings refuse gaps
   * @return the market, whose bars are all test bars
   * @throws DataException if the features of the settings differ from those of training, if a file
   *     is refused, or if its bars have a length that the agent was not trained with
   */
  public Market otherMarket(
      MarketConfig config, RiskConfig risk, List<String> files, boolean gapsAllowed) {
    requireFeatures(config, "restore config.yaml, or train again");
    List<Bars> bars = Market.read(config.data().withFiles(files, gapsAllowed));
    requireLengths(files, bars);
    return Market.onOtherBars(
        config, risk, bars, scaler, volatility, seen == null ? List.of() : seen.all());
  }

  private void requireLengths(List<String> files, List<Bars> bars) {
    List<String> others = new ArrayList<>();
    for (int i = 0; i < files.size(); i++) {
      if (!barMillis.contains(bars.get(i).barMillis())) {
        String length = BarLength.written(bars.get(i).barMillis());
        others.add(files.get(i) + " has bars of " + length);
      }
    }
    if (!others.isEmpty()) {
      throw new DataException(
          "%s; the agent was trained with bars of %s; use bars of that length"
              .formatted(String.join(", ", others), lengths()));
    }
  }

  private String lengths() {
    return barMillis.stream().distinct().map(BarLength::written).collect(Collectors.joining(", "));
  }

  private void requireFeatures(MarketConfig config, String advice) {
    FeatureSpec spec = config.features().spec();
    if (!spec.hash().equals(scaler.specHash())) {
      throw new DataException(
          "market.features.%s differs from the features of training: the agent was trained with %s,"
                  .formatted(spec.written().equals(features) ? "beyond" : "names", text(spec()))
              + " the settings have %s; %s".formatted(text(spec), advice));
    }
  }

  private static String text(FeatureSpec spec) {
    return "%s (beyond: %s)".formatted(spec.written(), SettingNames.written(spec.beyond()));
  }
}
