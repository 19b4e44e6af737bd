package io.quantail.market.feature;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.quantail.io.Sha256;
import io.quantail.run.io.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which features an agent sees, in which order. It is data: it stands in the settings and in a
 * bundle, and its hash tells whether a bundle fits.
 *
 * @param features at least one, no two alike
 */
public record FeatureSpec(List<Feature> features) {
  /** Grows when the meaning of a written feature changes. */
  private static final int VERSION = 1;

  public FeatureSpec {
    features = List.copyOf(features);
    if (features.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one feature");
    }
    Set<Feature> seen = new HashSet<>();
    for (Feature feature : features) {
      if (!seen.add(feature)) {
        throw new IllegalArgumentException("the feature " + feature + " is listed twice");
      }
    }
  }

  /** Features in their written form. */
  public static FeatureSpec parse(List<String> written) {
    return new FeatureSpec(written.stream().map(Feature::parse).toList());
  }

  /** The features of the first version; see {@code docs/trading.md}. */
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
            "week-cos"));
  }

  public List<String> written() {
    return features.stream().map(Feature::toString).toList();
  }

  /** Bars that must have closed before the first decision: the longest window and one. */
  public int warmupBars() {
    return features.stream().mapToInt(Feature::lookback).max().orElseThrow() + 1;
  }

  /** Columns of an observation: all values, then the flags of those that may be undefined. */
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
    return root.toString();
  }

  /** SHA-256 of the JSON form. */
  public String hash() {
    return Sha256.hex(toJson());
  }
}
