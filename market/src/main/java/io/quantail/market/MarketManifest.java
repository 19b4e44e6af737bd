package io.quantail.market;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.config.RiskConfig;
import io.quantail.config.SettingNames;
import io.quantail.market.data.BarLength;
import io.quantail.market.data.Bars;
import io.quantail.market.data.DataException;
import io.quantail.market.feature.FeatureScaler;
import io.quantail.market.feature.FeatureSpec;
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
 */
public record MarketManifest(
    List<String> features,
    FeatureSpec.@Nullable Beyond beyond,
    List<Long> barMillis,
    List<String> symbols,
    List<String> fingerprints,
    FeatureScaler scaler,
    @Nullable TrainingVolatility volatility) {
  /** Name of the file in a run directory. */
  public static final String FILE = RunLayout.MARKET;

  /**
   * Returns features and scaling of a market.
   *
   * @param market market that an agent is trained in
   * @return the contents of the file
   */
  public static MarketManifest of(Market market) {
    FeatureSpec spec = market.config().features().spec();
    return new MarketManifest(
        spec.written(),
        spec.beyond(),
        market.bars().stream().map(Bars::barMillis).toList(),
        market.bars().stream().map(Bars::symbol).toList(),
        market.fingerprints(),
        market.scaler(),
        market.volatility().orElse(null));
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
      Json.INDENTED.writeValue(file.toFile(), this);
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
    requireFeatures(config);
    List<Bars> bars = Market.read(config.data());
    List<String> found = bars.stream().map(Bars::fingerprint).toList();
    if (!found.equals(fingerprints)) {
      throw new DataException(
          "the data of the run (%s) have changed: the fingerprints were %s, are %s;"
                  .formatted(config.data().files(), fingerprints, found)
              + " restore the old data, or evaluate these with --data");
    }
    return Market.reopen(config, risk, bars, scaler);
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
    requireFeatures(config);
    List<Bars> bars = Market.read(config.data().withFiles(files, gapsAllowed));
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
    return Market.onOtherBars(config, risk, bars, scaler, volatility);
  }

  private String lengths() {
    return barMillis.stream().distinct().map(BarLength::written).collect(Collectors.joining(", "));
  }

  private void requireFeatures(MarketConfig config) {
    FeatureSpec spec = config.features().spec();
    if (!spec.hash().equals(scaler.specHash())) {
      throw new DataException(
          "market.features.%s differs from the features of training: the agent was trained with %s,"
                  .formatted(spec.written().equals(features) ? "beyond" : "names", text(spec()))
              + " the settings have %s; restore config.yaml, or train again".formatted(text(spec)));
    }
  }

  private static String text(FeatureSpec spec) {
    return "%s (beyond: %s)".formatted(spec.written(), SettingNames.written(spec.beyond()));
  }
}
