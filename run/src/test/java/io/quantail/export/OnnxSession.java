package io.quantail.export;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** An exported model in onnxruntime, with the recurrent states of several episodes. */
public final class OnnxSession implements AutoCloseable {
  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;
  private final Map<String, float[][][]> state = new HashMap<>(); // by the name of the input

  public OnnxSession(Path model, int batch) throws OrtException {
    session = environment.createSession(model.toString());
    for (String name : new String[] {"hidden_in", "cell_in"}) {
      if (session.getInputInfo().get(name) != null) {
        long[] shape = ((TensorInfo) session.getInputInfo().get(name).getInfo()).getShape();
        state.put(name, new float[(int) shape[0]][batch][(int) shape[2]]);
      }
    }
  }

  /** Starts the episode of a row anew. */
  public void start(int row) {
    for (float[][][] layers : state.values()) {
      for (float[][] layer : layers) {
        Arrays.fill(layer[row], 0);
      }
    }
  }

  public Map<String, String> metadata() throws OrtException {
    return session.getMetadata().getCustomMetadata();
  }

  public String producer() throws OrtException {
    return session.getMetadata().getProducerName();
  }

  /** All outputs but the recurrent state, flat. */
  public Map<String, float[]> step(float[][] observations, boolean[][] masks) throws OrtException {
    Map<String, OnnxTensor> inputs = new HashMap<>();
    try {
      inputs.put("observation", OnnxTensor.createTensor(environment, observations));
      for (Map.Entry<String, float[][][]> plane : state.entrySet()) {
        inputs.put(plane.getKey(), OnnxTensor.createTensor(environment, plane.getValue()));
      }
      if (session.getInputNames().contains("mask")) {
        inputs.put("mask", OnnxTensor.createTensor(environment, masks));
      }
      Map<String, float[]> outputs = new HashMap<>();
      try (OrtSession.Result result = session.run(inputs)) {
        for (Map.Entry<String, ?> entry : result) {
          OnnxTensor tensor = (OnnxTensor) entry.getValue();
          if (entry.getKey().endsWith("_out")) {
            state.put(entry.getKey().replace("_out", "_in"), (float[][][]) tensor.getValue());
          } else {
            FloatBuffer buffer = tensor.getFloatBuffer();
            float[] values = new float[buffer.remaining()];
            buffer.get(values);
            outputs.put(entry.getKey(), values);
          }
        }
      }
      return outputs;
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
