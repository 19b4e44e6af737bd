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

  /** Returns the number of bytes of one element. */
  public int elementBytes() {
    return elementBytes;
  }
}
