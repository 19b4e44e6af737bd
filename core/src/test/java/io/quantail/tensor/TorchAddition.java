package io.quantail.tensor;

import java.util.Arrays;

/** The program of the child processes of {@link TorchLoadingTest}: loads libtorch, adds. */
final class TorchAddition {
  private TorchAddition() {}

  public static void main(String[] arguments) {
    Torch.load();
    try (Scope scope = Scope.open()) {
      Tensor sum = Tensor.of(new float[] {1, 2}, 2).add(Tensor.of(new float[] {10, 20}, 2));
      System.out.println(Arrays.toString(sum.floats()));
    }
  }
}
