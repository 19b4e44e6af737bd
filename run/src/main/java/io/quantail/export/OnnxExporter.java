package io.quantail.export;

import io.quantail.config.ConfigException;
import io.quantail.io.AtomicFiles;
import io.quantail.io.Sha256;
import io.quantail.run.Versions;
import io.quantail.state.StateArray;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes an agent as an ONNX model: from a raw observation and the recurrent state to the most
 * likely action, its distribution, the predicted distribution of the return in units of the reward,
 * and the next recurrent state.
 *
 * <p>The model computes what {@code docs/reference/model.md} describes. {@code OnnxExporterTest}
 * compares it with the agent over 1,000 steps in onnxruntime. Equal agents give equal bytes.
 */
public final class OnnxExporter {
  /** Version of names and meaning of inputs, outputs and metadata. */
  private static final int FORMAT = 1;

  /** A file of protocol buffers has at most 2 GB; the rest is room for the graph. */
  private static final long MOST_BYTES = (1L << 31) - (1 << 20);

  private OnnxExporter() {}

  /**
   * A model that was written.
   *
   * @param file its path
   * @param bytes size of the file
   * @param opset version of the operators
   * @param sha256 hash of the file
   * @param inputs such as {@code observation float [batch, 3]}
   * @param outputs such as {@code action float [batch, 1]}
   */
  public record Result(
      String file,
      long bytes,
      int opset,
      String sha256,
      List<String> inputs,
      List<String> outputs) {}

  /**
   * Writes a model; a file that exists is replaced. A failure leaves the file as it was.
   *
   * @return what was written
   * @throws ConfigException if the agent is too large for one file
   */
  public static Result write(ExportedAgent agent, Path file) {
    requireSize(agent);
    OnnxGraph graph = new AgentGraph(agent).build();
    byte[] model = graph.encode(Versions.quantail(), metadata(agent));
    AtomicFiles.write(file, model);
    return new Result(
        file.toString(),
        model.length,
        OnnxGraph.OPSET,
        Sha256.hex(model),
        graph.inputs().stream().map(OnnxGraph.Value::toString).toList(),
        graph.outputs().stream().map(OnnxGraph.Value::toString).toList());
  }

  private static void requireSize(ExportedAgent agent) {
    long numbers = 0;
    for (StateArray array : agent.state().child("parameters").entries().values()) {
      numbers += StateArray.elementCount(array.shape());
    }
    if (numbers * Float.BYTES > MOST_BYTES) {
      throw new ConfigException(
          String.format(
              Locale.ROOT,
              "the agent has %d parameters, but an ONNX file has at most 2 GB; train one with a smaller network.hidden",
              numbers));
    }
  }

  /** What a model says about itself besides its inputs and outputs. */
  static Map<String, String> metadata(ExportedAgent agent) {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put("quantail.format", String.valueOf(FORMAT));
    metadata.put("quantail.environment", agent.config().environment().name());
    metadata.put("quantail.spaces", agent.spaces().tree().toString());
    metadata.put("quantail.discount", String.valueOf(agent.config().rollout().gamma()));
    agent.provenance().forEach((name, value) -> metadata.put("quantail." + name, value));
    return metadata;
  }
}
