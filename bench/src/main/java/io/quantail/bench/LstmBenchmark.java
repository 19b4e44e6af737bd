package io.quantail.bench;

import io.quantail.kernel.AffineMap;
import io.quantail.kernel.LstmLayer;
import io.quantail.kernel.PackedWeights;
import io.quantail.kernel.SequencePacking;
import io.quantail.kernel.Workspace;
import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** An LSTM over 8 sequences of 32 rows, forward and backward; a row is an operation. */
@State(Scope.Thread)
public class LstmBenchmark {
  private static final int SEQUENCES = 8;
  private static final int LENGTH = 32;
  private static final int ROWS = SEQUENCES * LENGTH;

  @Param({"64", "128", "256"})
  int width;

  private final Workspace workspace = new Workspace();
  private LstmLayer layer;
  private SequencePacking packing;
  private float[][] x;
  private float[][] zeros;

  @Setup(Level.Trial)
  public void prepare() {
    int weights = 4 * width * width;
    float[] parameters = new float[2 * (weights + 4 * width)];
    RandomStream random = RandomStream.of(1, "benchmark", 0);
    for (int i = 0; i < parameters.length; i++) {
      parameters[i] = (float) (random.nextGaussian() / Math.sqrt(width));
    }
    layer = new LstmLayer(affine(parameters));
    int[] lengths = new int[SEQUENCES];
    int[] starts = new int[SEQUENCES];
    Arrays.fill(lengths, LENGTH);
    Arrays.setAll(starts, sequence -> sequence * LENGTH);
    packing = new SequencePacking(starts, lengths);
    x = new float[ROWS][width];
    zeros = new float[SEQUENCES][width];
  }

  private AffineMap affine(float[] parameters) {
    PackedWeights weights = new PackedWeights(List.of(input(0), input(4 * width * (width + 1))));
    weights.read(parameters);
    return new AffineMap(weights, new float[parameters.length], ParallelLoop.ALONE);
  }

  private PackedWeights.Input input(int offset) {
    int bias = offset + 4 * width * width;
    return new PackedWeights.Input(width, List.of(new PackedWeights.Part(4 * width, offset, bias)));
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public float[][] forward() {
    workspace.reset();
    return layer.forward(workspace, packing, x, zeros, zeros).hidden();
  }

  @Benchmark
  @OperationsPerInvocation(ROWS)
  public float[][] forwardAndBackward() {
    workspace.reset();
    LstmLayer.Trace trace = layer.forward(workspace, packing, x, zeros, zeros);
    return Objects.requireNonNull(
        layer.backward(workspace, trace, workspace.zeros(ROWS, width), true));
  }
}
