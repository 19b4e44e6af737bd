package io.quantail.state;

/** The element type of a {@link StateArray}. */
public enum StateType {
  FLOAT32(Float.BYTES),
  FLOAT64(Double.BYTES),
  INT64(Long.BYTES),
  UINT8(Byte.BYTES);

  private final int elementBytes;

  StateType(int elementBytes) {
    this.elementBytes = elementBytes;
  }

  /** How many bytes one element takes. */
  public int elementBytes() {
    return elementBytes;
  }
}
