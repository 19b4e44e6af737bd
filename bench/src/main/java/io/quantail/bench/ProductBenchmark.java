package io.quantail.bench;

import io.quantail.kernel.AffineMap;
import io.quantail.kernel.PackedWeights;
import io.quantail.kernel.Workspace;
import io.quantail.parallel.ParallelLoop;
import io.quantail.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The products of an affine map; {@code operations} are GFLOPS. */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ProductBenchmark {
  /** Rows × inputs → outputs. */
  @Param({"256x64x256", "256x64x64", "256x128x512", "8x64x256", "4x64x256", "5x64x256"})
  String shape;

  private final Workspace workspace = new Workspace();
  private int rows;
  private AffineMap map;
  private float[][] x;
  private float[][] y;

  /** Counts multiplications and additions. */
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  @State(Scope.Thread)
  public static class Arithmetic {
    public long operations;
  }

  @Setup(Level.Trial)
  public void prepare() {
    int[] sizes = Arrays.stream(shape.split("x")).mapToInt(Integer::parseInt).toArray();
    rows = sizes[0];
    int inputs = sizes[1];
    int outputs = sizes[2];
    RandomStream random = RandomStream.of(1, "benchmark", 0);
    float[] parameters = new float[outputs * (inputs + 1)];
    fill(parameters, random, 1e-3);
    PackedWeights weights =
        new PackedWeights(inputs, List.of(new PackedWeights.Part(outputs, 0, outputs * inputs)));
    weights.read(parameters);
    map = new AffineMap(weights, new float[parameters.length], ParallelLoop.ALONE);
    x = new float[rows][inputs];
    y = new float[rows][outputs];
    for (int row = 0; row < rows; row++) {
      fill(x[row], random, 1);
      fill(y[row], random, 1);
    }
  }

  private static void fill(float[] numbers, RandomStream random, double scale) {
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (float) (scale * random.nextGaussian());
    }
  }

  private void count(Arithmetic arithmetic) {
    arithmetic.operations += 2L * rows * x[0].length * y[0].length;
  }

  @Benchmark
  public float[][] forward(Arithmetic arithmetic) {
    map.apply(y, x, rows);
    count(arithmetic);
    return y;
  }

  @Benchmark
  public float[][] inputGradient(Arithmetic arithmetic) {
    map.addInputGradient(x, y, rows);
    count(arithmetic);
    return x;
  }

  @Benchmark
  public void weightGradient(Arithmetic arithmetic) {
    workspace.reset();
    map.addGradient(workspace, y, x, rows);
    count(arithmetic);
  }
}
