package io.quantail.tensor;

import java.util.List;
import org.bytedeco.pytorch.T_TensorTensorTensor_T;
import org.bytedeco.pytorch.T_TensorTensor_T;
import org.bytedeco.pytorch.TensorOptional;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** The fused network operators of libtorch, as pure functions of their parameters. */
public final class Layers {
  private Layers() {}

  /** {@code x W^T + b}. */
  public static Tensor linear(Tensor x, Tensor weight, Tensor bias) {
    return wrap(torch.linear(x.handle(), weight.handle(), new TensorOptional(bias.handle())));
  }

  /** {@code x W^T}. */
  public static Tensor linear(Tensor x, Tensor weight) {
    return wrap(torch.linear(x.handle(), weight.handle()));
  }

  /** Rows in the given order, as often as they are named. */
  public static Tensor rows(Tensor x, long[] rows) {
    return wrap(x.handle().index_select(0, Tensor.of(rows, rows.length).handle()));
  }

  public static Tensor silu(Tensor x) {
    return wrap(torch.silu(x.handle()));
  }

  public static Tensor relu(Tensor x) {
    return wrap(torch.relu(x.handle()));
  }

  public static Tensor leakyRelu(Tensor x) {
    return wrap(torch.leaky_relu(x.handle()));
  }

  public static Tensor elu(Tensor x) {
    return wrap(torch.elu(x.handle()));
  }

  public static Tensor gelu(Tensor x) {
    return wrap(torch.gelu(x.handle()));
  }

  /** The output of an LSTM with its last hidden and cell state. */
  public record LstmResult(Tensor output, Tensor hidden, Tensor cell) {}

  /**
   * One step of one LSTM layer; gates in the order input, forget, cell, output.
   *
   * @param x input, [rows, input]
   * @param hidden hidden state, [rows, hidden]
   * @param cell cell state, [rows, hidden]
   * @param weights input weight, recurrent weight, input bias, recurrent bias
   */
  public static LstmResult lstmCell(Tensor x, Tensor hidden, Tensor cell, List<Tensor> weights) {
    T_TensorTensor_T next =
        torch.lstm_cell(
            x.handle(),
            new TensorVector(hidden.handle(), cell.handle()),
            weights.get(0).handle(),
            weights.get(1).handle(),
            new TensorOptional(weights.get(2).handle()),
            new TensorOptional(weights.get(3).handle()));
    Tensor output = wrap(next.get0());
    return new LstmResult(output, output, wrap(next.get1()));
  }

  /**
   * A whole batch of sequences through all layers in one fused call.
   *
   * @param x input, [time, rows, input]
   * @param hidden initial hidden state, [layers, rows, hidden]
   * @param cell initial cell state, [layers, rows, hidden]
   * @param weights four tensors a layer, as in {@link #lstmCell}
   */
  public static LstmResult lstm(Tensor x, Tensor hidden, Tensor cell, List<Tensor> weights) {
    int layers = weights.size() / 4;
    T_TensorTensorTensor_T result =
        torch.lstm(
            x.handle(),
            new TensorVector(hidden.handle(), cell.handle()),
            Tensor.vector(weights),
            true,
            layers,
            0.0,
            false,
            false,
            false);
    return new LstmResult(wrap(result.get0()), wrap(result.get1()), wrap(result.get2()));
  }

  private static Tensor wrap(org.bytedeco.pytorch.Tensor handle) {
    return Tensor.fromNative(handle);
  }
}
