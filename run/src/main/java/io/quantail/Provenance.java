package io.quantail;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.quantail.config.RunConfig;
import io.quantail.run.io.Json;
import io.quantail.run.settings.ConfigDiff;
import io.quantail.run.snapshot.SnapshotInfo;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Where an agent comes from: settings, seed, steps, versions and hashes. */
public final class Provenance {
  private final RunConfig config;
  private final SnapshotInfo info;
  private final String fingerprint;

  Provenance(RunConfig config, SnapshotInfo info, String fingerprint) {
    this.config = config;
    this.info = info;
    this.fingerprint = fingerprint;
  }

  /** {@return the settings of the training} */
  public Settings settings() {
    return Settings.of(config);
  }

  /** {@return the seed of the training} */
  public long seed() {
    return config.seed();
  }

  /** {@return the environment steps that the agent learned from} */
  public long steps() {
    return info.steps();
  }

  /** {@return the updates that made the agent} */
  public long updates() {
    return info.update();
  }

  /** {@return a hash of everything that decides how the agent acts and what it predicts} */
  public String fingerprint() {
    return fingerprint;
  }

  /** {@return the versions of Quantail, Java and the platform that trained the agent} */
  public Map<String, String> versions() {
    return info.libraryVersions();
  }

  /** {@return all of it as one line of JSON} */
  public String toJson() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("seed", seed());
    all.put("steps", steps());
    all.put("updates", updates());
    all.put("fingerprint", fingerprint);
    all.put("configHash", info.configHash());
    if (info.dataFingerprint() != null) {
      all.put("dataFingerprint", info.dataFingerprint());
    }
    all.put("versions", versions());
    all.put("settings", ConfigDiff.flat(config));
    try {
      return Json.line(all);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("texts and numbers are always writable", impossible);
    }
  }

  SnapshotInfo info() {
    return info;
  }

  RunConfig config() {
    return config;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "%,d steps with seed %d, %s", steps(), seed(), fingerprint.substring(0, 12));
  }
}
