package io.quantail;

import io.quantail.config.ConfigException;
import io.quantail.config.RunConfig;
import io.quantail.env.ActionSpace;
import io.quantail.env.EnvironmentException;
import io.quantail.env.ObservationSpace;
import io.quantail.error.AgentFileException;
import io.quantail.export.ExportedAgent;
import io.quantail.export.OnnxExporter;
import io.quantail.io.Sha256;
import io.quantail.model.ActingModel;
import io.quantail.model.AgentModel;
import io.quantail.run.RunReader;
import io.quantail.run.RunStoppedException;
import io.quantail.run.SpaceFile;
import io.quantail.run.settings.YamlConfig;
import io.quantail.run.snapshot.AgentFiles;
import io.quantail.run.snapshot.Snapshot;
import io.quantail.run.snapshot.SnapshotException;
import io.quantail.run.snapshot.SnapshotInfo;
import io.quantail.state.Safetensors;
import io.quantail.state.StateException;
import io.quantail.state.StateMap;
import io.quantail.value.ReturnScale;
import io.quantail.value.ReturnScaleTracker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A trained policy with its critics, the normalisation of its observations and the units of its
 * predictions. Immutable; any number of threads may share it.
 *
 * <p>An agent does not act by itself, because acting with a memory has a state: {@link #acting}
 * makes what acts in one episode.
 */
public final class Agent {
  private final RunConfig config;
  private final SpaceFile spaces;
  private final AgentModel model;
  private final ReturnScaleTracker returns;
  private final Provenance provenance;

  private Agent(RunConfig config, SpaceFile spaces, StateMap state, SnapshotInfo info) {
    this.config = config;
    this.spaces = spaces;
    model = new AgentModel(config, spaces.observations(), spaces.actions());
    model.load(state.child("agent"));
    returns = new ReturnScaleTracker(config.returns());
    returns.load(state.child("returns"));
    provenance = new Provenance(config, info, hash(state()));
  }

  /** An agent from the state of a trainer, a snapshot or a saved agent. */
  static Agent of(RunConfig config, SpaceFile spaces, StateMap state, SnapshotInfo info) {
    return new Agent(config, spaces, state, info);
  }

  private StateMap state() {
    StateMap state = new StateMap();
    model.save(state.child("agent"));
    returns.save(state.child("returns"));
    return state;
  }

  private static String hash(StateMap state) {
    Sha256 digest = new Sha256();
    try {
      Safetensors.write(state, digest::update);
    } catch (IOException impossible) {
      throw new UncheckedIOException("a hash does no output", impossible);
    }
    return digest.hex();
  }

  /**
   * Reads a saved agent, or the agent that a run directory keeps.
   *
   * @param directory that {@link #save} or a training wrote
   * @return the agent
   * @throws AgentFileException if there is none, or it is damaged or of a newer version
   */
  public static Agent load(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new AgentFileException(
          directory + " does not exist; name a saved agent or a run", null);
    }
    try {
      if (AgentFiles.isAgent(directory)) {
        AgentFiles.Saved saved = AgentFiles.read(directory);
        RunConfig config = YamlConfig.parseStored(saved.settings(), directory + "'s settings");
        return of(config, SpaceFile.parse(saved.spaces()), saved.state(), saved.info());
      }
      return ofRun(directory);
    } catch (SnapshotException | StateException | ConfigException | IllegalArgumentException bad) {
      throw refused(directory, bad);
    }
  }

  private static AgentFileException refused(Path directory, RuntimeException cause) {
    String why = String.valueOf(cause.getMessage());
    return new AgentFileException(
        why.contains(directory.toString()) ? why : directory + ": " + why, cause);
  }

  private static Agent ofRun(Path directory) {
    if (!RunReader.isRun(directory)) {
      throw new AgentFileException(
          directory
              + " is neither a saved agent nor a run; name a directory that save or train made",
          null);
    }
    RunConfig config = RunReader.config(directory);
    Snapshot snapshot = RunReader.agentSnapshot(directory, config, note -> {});
    return of(config, spaces(directory, config), snapshot.state(), snapshot.manifest().info());
  }

  private static SpaceFile spaces(Path directory, RunConfig config) {
    try {
      return RunReader.spaces(directory, config);
    } catch (EnvironmentException | EnvironmentException.Unknown unavailable) {
      throw new AgentFileException(
          "%s does not tell the observations and actions of its agent, and its environment cannot be"
                  .formatted(directory)
              + " made here: "
              + unavailable.getMessage(),
          unavailable);
    }
  }

  /**
   * Saves the agent: its state as safetensors, its settings, spaces and a manifest with hashes. An
   * agent that is there is replaced.
   *
   * @param directory of the agent; nothing else is in it
   * @throws AgentFileException if the directory contains something else or cannot be written
   */
  public void save(Path directory) {
    try {
      AgentFiles.write(
          directory,
          new AgentFiles.Saved(
              state(), provenance.info(), YamlConfig.toStoredYaml(config), spaces.toJson()));
    } catch (SnapshotException | UncheckedIOException failure) {
      throw refused(directory, failure);
    }
  }

  /**
   * Writes the agent as an ONNX model: raw observations, masks and the recurrent state in; actions,
   * their distribution, the forecast of the return and the next recurrent state out. A file that is
   * there is replaced.
   *
   * @param file of the model
   * @throws AgentFileException if the file cannot be written
   */
  public void exportOnnx(Path file) {
    try {
      OnnxExporter.write(
          new ExportedAgent(
              config,
              spaces,
              state().child("agent"),
              scale(),
              ExportedAgent.provenance(config, provenance.info(), provenance.fingerprint())),
          file);
    } catch (UncheckedIOException failure) {
      throw new AgentFileException(String.valueOf(RunStoppedException.describe(failure)), failure);
    }
  }

  /** {@return the numbers of an observation} */
  public ObservationSpace observationSpace() {
    return spaces.observations();
  }

  /** {@return what the agent may do} */
  public ActionSpace actionSpace() {
    return spaces.actions();
  }

  /** {@return where the agent comes from} */
  public Provenance provenance() {
    return provenance;
  }

  /** {@return what acts in one episode, with a memory of its own} */
  public ActingAgent acting() {
    FullSpeed.prepare();
    return new ActingAgent(this);
  }

  /**
   * Makes what acts in many episodes side by side.
   *
   * @param episodes number of episodes, at least 1
   * @return what acts in them
   */
  public ActingBatch acting(int episodes) {
    FullSpeed.prepare();
    return new ActingBatch(this, episodes);
  }

  ActingModel model() {
    return model.agent();
  }

  ReturnScale scale() {
    return returns.scale();
  }

  RunConfig config() {
    return config;
  }

  ReturnForecast forecast() {
    return new ReturnForecast(
        model().critic(), scale(), config.risk().method(), config.rollout().gamma());
  }

  /** Refuses observations that are not those of the agent, naming the number that is wrong. */
  void requireObservations(float[] observations, int rows) {
    int size = observationSpace().size();
    if (observations.length != rows * size) {
      throw new IllegalArgumentException(
          rows == 1
              ? String.format(
                  Locale.ROOT,
                  "the agent takes observations of %d numbers, was given %d",
                  size,
                  observations.length)
              : String.format(
                  Locale.ROOT,
                  "the agent takes %d observations of %d numbers, %d in all; was given %d",
                  rows,
                  size,
                  rows * size,
                  observations.length));
    }
    for (int i = 0; i < observations.length; i++) {
      if (!Float.isFinite(observations[i])) {
        throw new IllegalArgumentException(
            "%s%s must be finite, was %s"
                .formatted(
                    observationSpace().name(i % size),
                    rows == 1 ? "" : " of episode " + i / size,
                    observations[i]));
      }
    }
  }

  /** Refuses masks that are not those of the agent, or that leave no choice. */
  void requireMasks(boolean[] allowed, int rows) {
    int size = actionSpace().maskSize();
    if (allowed.length != rows * size) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s needs masks of %d flags%s, was given %d",
              actionSpace(),
              size,
              rows == 1 ? "" : String.format(Locale.ROOT, " in %d rows", rows),
              allowed.length));
    }
    for (int row = 0; row < rows; row++) {
      int part = actionSpace().partWithoutChoice(allowed, row * size);
      if (part >= 0) {
        throw new IllegalArgumentException(
            "the mask%s allows no choice%s; allow at least one"
                .formatted(
                    rows == 1 ? "" : " of episode " + row,
                    actionSpace().parts().size() == 1 ? "" : " of part " + part));
      }
    }
  }

  @Override
  public String toString() {
    return "agent of %s".formatted(provenance);
  }
}
