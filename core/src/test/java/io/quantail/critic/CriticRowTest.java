package io.quantail.critic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quantail.config.CvarMethod;
import io.quantail.random.RandomStream;
import io.quantail.tensor.Scope;
import io.quantail.tensor.Tensor;
import io.quantail.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Values and gradients against the tensors of {@link Critic}. */
@Requirement("CRIT-3")
class CriticRowTest {
  private static final double WEIGHT = 0.3;
  private static final int OFFSET = 3;

  @Test
  void shouldAgreeWithTheTensors() {
    List<Critic> critics =
        List.of(
            new QuantileCritic(32, 1),
            new QuantileCritic(7, 0.4),
            new QuantileCritic(1, 1),
            new CategoricalCritic(51, 10),
            new CategoricalCritic(2, 1));
    RandomStream random = RandomStream.of(31, "critic rows", 0);
    for (Critic critic : critics) {
      CriticRow row = critic.row();
      for (double target : new double[] {0, 0.37, -2.2, 9.99, 10, 40, -40}) {
        float[] outputs = new float[critic.outputs() + OFFSET];
        for (int i = 0; i < outputs.length; i++) {
          outputs[i] = (float) (2 * random.nextGaussian());
        }
        compare(critic, row, outputs, (float) target);
      }
    }
  }

  private static void compare(Critic critic, CriticRow row, float[] outputs, float target) {
    float[] gradient = new float[outputs.length];
    double loss = row.loss(outputs, OFFSET, target, WEIGHT, gradient);
    try (Scope scope = Scope.open()) {
      Tensor all = Tensor.of(outputs, 1, outputs.length);
      Tensor leaf = all.narrow(1, OFFSET, critic.outputs()).detach().requireGradient();
      Tensor twin = critic.loss(leaf, Tensor.of(new float[] {target}, 1));
      twin.mul(WEIGHT).sum().backward();
      assertThat(loss).isCloseTo(twin.item(), within(1e-5 * Math.max(1, Math.abs(loss))));
      assertThat(row.mean(outputs, OFFSET)).isCloseTo(critic.mean(leaf).item(), within(1e-5));
      row.look(outputs, OFFSET);
      for (double level : new double[] {0.001, 0.25, 0.5, 0.9}) {
        assertThat(row.quantile(level))
            .isCloseTo(critic.quantile(leaf, level).item(), within(2e-5));
      }
      for (CvarMethod method : CvarMethod.values()) {
        double tail = critic.cvar(leaf, 0.2, method).item();
        assertThat(row.cvar(0.2, method)).isCloseTo(tail, within(2e-5));
      }
      float[] expected = leaf.gradient().floats();
      for (int i = 0; i < expected.length; i++) {
        assertThat(gradient[OFFSET + i]).isCloseTo(expected[i], within(2e-6f));
      }
      assertThat(gradient).startsWith(0, 0, 0);
    }
  }
}
