package io.quantail.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quantail.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("ENV-1")
class ActionTest {
  private static final ActionSpace BOX = ActionSpace.box(new float[] {-1, 0}, new float[] {1, 5});
  private static final ActionSpace MIXED =
      ActionSpace.product(ActionSpace.discrete(3), ActionSpace.box(0, 1), BOX);

  @Test
  void shouldReadOneChoiceAndOneNumber() {
    Action choice = Action.of(ActionSpace.discrete(3), 2);
    assertThat(choice.index()).isEqualTo(2);
    assertThat(choice.index(0)).isEqualTo(2);
    Action number = Action.of(ActionSpace.box(0, 1), 0.5f);
    assertThat(number.value()).isEqualTo(0.5);
    assertThat(number.value(0)).isEqualTo(0.5);
  }

  @Test
  void shouldReadThePartsOfAProduct() {
    Action action = Action.of(MIXED, 1, 0.25f, -0.5f, 4);
    assertThat(action.index(0)).isEqualTo(1);
    assertThat(action.value(1)).isEqualTo(0.25);
    assertThat(action.value(2, 0)).isEqualTo(-0.5);
    assertThat(action.value(2, 1)).isEqualTo(4);
    assertThat(action).hasToString("[1.0, 0.25, -0.5, 4.0]");
  }

  @Test
  void shouldShowWhatTheArrayOfAViewContains() {
    float[] numbers = {0, 1};
    Action view = Action.view(BOX, numbers);
    numbers[1] = 3;
    assertThat(view.value(1)).isEqualTo(3);
    float[] copy = view.toArray();
    copy[0] = 9;
    assertThat(numbers).containsExactly(0, 3);
  }

  @Test
  void shouldCopyTheNumbersOfAnAction() {
    float[] numbers = {0, 1};
    Action action = Action.of(BOX, numbers);
    numbers[1] = 3;
    assertThat(action.value(1)).isEqualTo(1);
  }

  @Test
  void shouldRefuseWhatIsNoActionOfTheSpace() {
    assertThatThrownBy(() -> Action.of(ActionSpace.discrete(3), 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("[3.0] is not an action of Discrete[count=3]");
    assertThatThrownBy(() -> Action.of(BOX, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has 2 numbers, was given 1");
  }

  @Test
  void shouldSayWhatToCallInstead() {
    Action choice = Action.of(ActionSpace.discrete(3), 2);
    Action mixed = Action.of(MIXED, 1, 0.25f, -0.5f, 4);
    assertThatThrownBy(choice::value)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the action is Discrete[count=3] and has no value; call index");
    assertThatThrownBy(() -> Action.of(BOX, 0, 0).index())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("has no index; call value");
    assertThatThrownBy(() -> Action.of(BOX, 0, 0).value())
        .hasMessageEndingWith("has several values; say which one");
    assertThatThrownBy(mixed::index).hasMessage("the action has 3 parts; call index(part)");
    assertThatThrownBy(mixed::value).hasMessage("the action has 3 parts; call value(part)");
    assertThatThrownBy(() -> mixed.value(2))
        .hasMessageStartingWith("part 2 of the action is Box[")
        .hasMessageEndingWith("has several values; say which one");
    assertThatThrownBy(() -> mixed.index(3))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("the action has the parts 0 to 2, was asked for 3");
    assertThatThrownBy(() -> mixed.value(2, 2))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("part 2 of the action has the values 0 to 1, was asked for 2");
  }
}
