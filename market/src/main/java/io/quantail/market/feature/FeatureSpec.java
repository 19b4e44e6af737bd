package io.quantail.market.feature;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.config.SettingNames;
import io.quantail.io.Sha256;
import io.quantail.run.io.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The market features of an observation, in order, and how values outside the range of training are
 * scaled. Settings and {@code market.json} of a run contain the written form; the hash identifies
 * both.
 *
 * @param features at least one, without duplicates
 * @param beyond scaling of values beyond the training percentiles
 */
public record FeatureSpec(List<Feature> features, Beyond beyond) {
  /** Increased when the formula of a written feature changes. */
  private static final int VERSION = 1;

  /**
   * Scaling of values beyond the 1st and 99th percentile of training; see {@link FeatureScaler}.
   */
  public enum Beyond {
    /** Values are compressed by a logarithm, so that larger values stay distinguishable. */
    LOG,
    /** Values are cut at the percentile. */
    CUT
  }

  public FeatureSpec {
    features = List.copyOf(features);
    if (features.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one feature, such as return(12)");
    }
    Set<Feature> seen = new HashSet<>();
    for (Feature feature : features) {
      if (!seen.add(feature)) {
        throw new IllegalArgumentException(
            "the feature " + feature + " is listed twice; remove one");
      }
    }
  }

  /** Parses features in their written form. */
  public static FeatureSpec parse(List<String> written, Beyond beyond) {
    return new FeatureSpec(written.stream().map(Feature::parse).toList(), beyond);
  }

  /** The default features with logarithmic compression; see {@code docs/guides/markets.md}. */
  public static FeatureSpec standard() {
    return parse(
        List.of(
            "return(1)",
            "return(3)",
            "return(6)",
            "return(12)",
            "return(42)",
            "sma-gap(5)",
            "sma-gap(21)",
            "sma-gap(50)",
            "macd(12,26)",
            "macd-gap(12,26,9)",
            "rsi(14)",
            "bollinger(20)",
            "ewma-volatility",
            "parkinson(12)",
            "yang-zhang(42)",
            "volatility-ratio(12,42)",
            "range",
            "body",
            "gap",
            "close-location",
            "volume(42)",
            "volume-share(42)",
            "flow(1)",
            "hour-sin",
            "hour-cos",
            "week-sin",
            "week-cos"),
        Beyond.LOG);
  }

  /** The features in their written form. */
  public List<String> written() {
    return features.stream().map(Feature::toString).toList();
  }

  /** The number of bars that the feature with the longest lookback needs. */
  public int longestWindow() {
    return features.stream().mapToInt(Feature::lookback).max().orElseThrow();
  }

  /** The number of bars before the first decision: the longest lookback plus one. */
  public int warmupBars() {
    return longestWindow() + 1;
  }

  /**
   * The columns of an observation: all values, then validity flags of those that may be undefined.
   */
  public List<String> columns() {
    List<String> columns = new ArrayList<>(written());
    features.stream()
        .filter(feature -> feature.kind().mayBeUndefined())
        .forEach(feature -> columns.add(feature + " valid"));
    return columns;
  }

  private String toJson() {
    ObjectNode root = Json.MAPPER.createObjectNode().put("version", VERSION);
    ArrayNode list = root.putArray("features");
    written().forEach(list::add);
    if (beyond != Beyond.CUT) { // specs from before this choice were cut and keep their hash
      root.put("beyond", SettingNames.written(beyond));
    }
    return root.toString();
  }

  /** The SHA-256 of the JSON form. */
  public String hash() {
    return Sha256.hex(toJson());
  }
}
