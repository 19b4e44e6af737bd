package io.quantail;

import io.quantail.model.PolicyRunner;
import io.quantail.network.NetworkPass;
import io.quantail.network.SequenceInput;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Acts for an {@link Agent} in many episodes side by side, which are rows of one array. Each row
 * gets the same numbers as an {@link ActingAgent} of its own, for less work.
 *
 * <p>One thread at a time may use it; a second one is refused.
 */
public final class ActingBatch {
  private final Agent agent;
  private final int episodes;
  private final PolicyRunner runner;
  private final ReturnForecast[] forecasts;
  private final AtomicBoolean busy = new AtomicBoolean();
  private @Nullable NetworkPass pass; // null before the first actions

  ActingBatch(Agent agent, int episodes) {
    if (episodes < 1) {
      throw new IllegalArgumentException("there must be at least 1 episode, was " + episodes);
    }
    this.agent = agent;
    this.episodes = episodes;
    runner = new PolicyRunner(agent.model(), episodes);
    forecasts = new ReturnForecast[episodes];
    for (int episode = 0; episode < episodes; episode++) {
      forecasts[episode] = agent.forecast();
    }
  }

  /** {@return the number of episodes} */
  public int episodes() {
    return episodes;
  }

  /**
   * Starts an episode anew.
   *
   * @param episode its row
   */
  public void reset(int episode) {
    Objects.checkIndex(episode, episodes);
    enter();
    runner.start(episode);
    busy.set(false);
  }

  /**
   * Takes the most likely action in every episode.
   *
   * @param observations the next observation of each episode, one row after the other
   * @param actions receives the actions, one row after the other
   */
  public void act(float[] observations, float[] actions) {
    act(observations, SequenceInput.NO_MASKS, actions);
  }

  /**
   * Takes the most likely of the allowed actions in every episode.
   *
   * @param observations the next observation of each episode, one row after the other
   * @param allowed whether each choice is allowed, one row after the other; empty if all are
   * @param actions receives the actions, one row after the other
   */
  public void act(float[] observations, boolean[] allowed, float[] actions) {
    int size = agent.actionSpace().size();
    if (actions.length != episodes * size) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d actions of %d numbers need an array of %d, was %d",
              episodes,
              size,
              episodes * size,
              actions.length));
    }
    agent.requireObservations(observations, episodes);
    if (allowed.length > 0) {
      agent.requireMasks(allowed, episodes);
    }
    enter();
    try {
      pass = runner.step(observations, allowed);
      runner.act(pass, null, 0, actions);
    } finally {
      busy.set(false);
    }
  }

  /**
   * Reads what the critics expect in an episode, after {@link #act}.
   *
   * @param episode its row
   * @return the forecast, valid until the next actions
   */
  public ReturnForecast forecast(int episode) {
    Objects.checkIndex(episode, episodes);
    if (pass == null) {
      throw new IllegalStateException("there is no forecast before the first call of act");
    }
    return forecasts[episode].of(pass.values()[episode]);
  }

  private void enter() {
    if (!busy.compareAndSet(false, true)) {
      throw new IllegalStateException(
          "two threads use this acting batch at once; give each its own with agent.acting(n)");
    }
  }
}
