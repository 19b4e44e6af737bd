package io.quantail.gymnasium;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.quantail.env.ActionSpace;
import io.quantail.env.BatchedEnvironment;
import io.quantail.env.BatchedStep;
import io.quantail.env.EnvironmentException;
import io.quantail.env.ObservationSpace;
import io.quantail.run.io.Json;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Environments of Gymnasium, stepped together in a Python process that this class starts.
 *
 * <p>They are made by {@code gymnasium.make_vec} with {@code AutoresetMode.DISABLED}. A Discrete, a
 * Box, a MultiDiscrete, a MultiBinary and Tuples and Dicts of these become an {@link ActionSpace};
 * such observations become one row, with choices one-hot. The allowed choices come from {@code
 * info["action_mask"]}. What the environments print does no harm; the last lines are part of the
 * message if the process fails.
 *
 * <p>Python 3.10 or newer with {@code gymnasium} 1.1 or newer must be installed, on a system with
 * Unix domain sockets in Python: Linux or macOS.
 */
public final class GymnasiumEnvironment implements BatchedEnvironment {
  /** Seeds have 31 bits, which every environment accepts. */
  private static final long SEEDS = 0x7fff_ffffL;

  private final String name;
  private final int count;
  private final Duration deadline;
  private final PythonProcess process;
  private final MessageChannel channel;
  private final GymnasiumSpaces spaces;
  private final int observationSize;
  private volatile boolean busy;
  private volatile @Nullable EnvironmentException failure;

  GymnasiumEnvironment(GymnasiumFactory factory, int count) {
    this(factory.toString(), factory::command, request(factory, count), count, factory.deadline());
  }

  /** With a command of its own. */
  GymnasiumEnvironment(
      String name, PythonProcess.Command command, byte[] request, int count, Duration deadline) {
    if (count < 1) {
      throw new IllegalArgumentException("there must be at least 1 environment, was " + count);
    }
    this.name = name;
    this.count = count;
    this.deadline = deadline;
    this.process = PythonProcess.start(name, command, deadline);
    this.channel = process.channel();
    try {
      greet();
      this.spaces = make(request);
    } catch (RuntimeException failed) {
      process.close();
      throw failed;
    }
    this.observationSize = spaces.observation().size();
    process.started();
  }

  /**
   * Chooses an environment of Gymnasium.
   *
   * @param id as {@code gymnasium.make} takes it, for example {@code LunarLander-v3}; {@code
   *     module:Name-v0} imports a module first
   * @return a factory that starts processes with this environment
   */
  public static GymnasiumFactory make(String id) {
    return GymnasiumFactory.of(id);
  }

  private static byte[] request(GymnasiumFactory factory, int count) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("id", factory.id());
    request.put("count", count);
    request.put("options", factory.options());
    try {
      return Json.MAPPER.writeValueAsBytes(request);
    } catch (JsonProcessingException notJson) {
      throw new IllegalArgumentException(
          "the options of %s must be texts, numbers, booleans, lists or maps: %s"
              .formatted(factory.id(), notJson.getOriginalMessage()),
          notJson);
    }
  }

  private void greet() {
    try {
      JsonNode hello = json(channel.receive(deadline));
      int version = channel.kind() == MessageChannel.HELLO ? hello.path("protocol").asInt(-1) : -1;
      if (version != MessageChannel.VERSION) {
        throw process.foreign(
            version < 0 ? "its first message is no greeting" : "it speaks version " + version);
      }
    } catch (JsonProcessingException | MessageChannel.ProtocolException other) {
      throw process.foreign("its first message is no greeting");
    } catch (IOException gone) {
      throw failed(gone, "its start");
    }
  }

  private GymnasiumSpaces make(byte[] request) {
    channel.begin(MessageChannel.MAKE, request.length).put(request);
    try {
      return GymnasiumSpaces.of(json(ask(MessageChannel.SPACES, "gymnasium.make_vec")), name);
    } catch (IOException malformed) {
      throw process.foreign("its spaces are no JSON");
    }
  }

  private static JsonNode json(ByteBuffer content) throws IOException {
    return Json.MAPPER.readTree(bytes(content));
  }

  private static byte[] bytes(ByteBuffer content) {
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    return bytes;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public ObservationSpace observationSpace() {
    return spaces.observation();
  }

  @Override
  public ActionSpace actionSpace() {
    return spaces.action();
  }

  @Override
  public boolean masks() {
    return spaces.masks();
  }

  @Override
  public void reset(int row, long seed, BatchedStep rows) {
    channel.begin(MessageChannel.RESET, 16).putInt(row).putInt(0).putLong(seed & SEEDS);
    ByteBuffer answer = ask(MessageChannel.ROW, "reset");
    requireLength(answer, 4 * observationSize + rows.maskSize());
    answer.asFloatBuffer().get(rows.observations(), row * observationSize, observationSize);
    answer.position(answer.position() + 4 * observationSize);
    read(answer, rows.masks(), row * rows.maskSize(), rows.maskSize());
  }

  @Override
  public void step(float[] actions, BatchedStep rows) {
    channel.begin(MessageChannel.STEP, 4 * actions.length).asFloatBuffer().put(actions);
    ByteBuffer answer = ask(MessageChannel.ROWS, "step");
    requireLength(answer, count * (8 + 4 * observationSize + 2 + rows.maskSize()));
    answer.asDoubleBuffer().get(rows.rewards());
    answer.position(answer.position() + 8 * count);
    answer.asFloatBuffer().get(rows.observations());
    answer.position(answer.position() + 4 * count * observationSize);
    read(answer, rows.terminated(), 0, count);
    read(answer, rows.truncated(), 0, count);
    read(answer, rows.masks(), 0, count * rows.maskSize());
  }

  long pid() {
    return process.pid();
  }

  /** Whether a call is under way. */
  boolean isBusy() {
    return busy;
  }

  private static void read(ByteBuffer source, boolean[] target, int from, int length) {
    for (int i = from; i < from + length; i++) {
      target[i] = source.get() != 0;
    }
  }

  private void requireLength(ByteBuffer answer, int length) {
    if (answer.remaining() != length) {
      throw remember(
          process.foreign(
              String.format(
                  Locale.ROOT,
                  "an answer had %d bytes instead of %d",
                  answer.remaining(),
                  length)));
    }
  }

  /** Sends the request that was begun and returns the content of the answer. */
  private ByteBuffer ask(int expected, String call) {
    EnvironmentException before = failure;
    if (before != null) {
      throw before;
    }
    busy = true;
    try {
      channel.send(deadline);
      ByteBuffer answer = channel.receive(deadline);
      if (channel.kind() == MessageChannel.FAILURE) {
        String text = StandardCharsets.UTF_8.decode(answer).toString();
        throw new EnvironmentException(
            "%s of %s failed: %s".formatted(call, name, text),
            null,
            EnvironmentException.Kind.EXCEPTION);
      }
      if (channel.kind() != expected) {
        throw process.foreign("it answered with a message of kind " + channel.kind());
      }
      return answer;
    } catch (MessageChannel.ProtocolException other) {
      throw remember(process.foreign(Objects.toString(other.getMessage())));
    } catch (IOException gone) {
      channel.close();
      throw remember(failed(gone, call));
    } finally {
      busy = false;
    }
  }

  private EnvironmentException failed(IOException gone, String call) {
    return gone instanceof SocketTimeoutException
        ? process.hung(call, deadline)
        : process.died(call);
  }

  private EnvironmentException remember(EnvironmentException thrown) {
    failure = thrown;
    return thrown;
  }

  /** Ends the Python process; at once if a call is under way. */
  @Override
  public void close() {
    if (failure == null) {
      failure =
          new EnvironmentException("the Python process of " + name + " was closed; make another");
    }
    if (busy) {
      process.kill();
    } else {
      process.close();
    }
  }

  @Override
  public String toString() {
    return name + ", " + count + " environments";
  }
}
