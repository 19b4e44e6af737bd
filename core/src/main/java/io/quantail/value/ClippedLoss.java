package io.quantail.value;

/**
 * The clipped critic loss of a sample: the larger of the losses of the free and the limited
 * prediction, both against the same particles, which are never clipped.
 *
 * <p>A limit that changes nothing leaves loss and gradient of the free prediction as they are. See
 * {@link ValueClip} for the limits and their sources; serves one thread at a time.
 */
public final class ClippedLoss {
  private final ValueClip clip;
  private final Critic critic;
  private final float[] limited;
  private final float[] dLimited;
  private double freeSum;
  private double clippedSum;
  private int active;
  private int binding;
  private int samples;

  /**
   * @param critic used for all evaluations, by one thread
   */
  public ClippedLoss(ValueClip clip, Critic critic) {
    this.clip = clip;
    this.critic = critic;
    limited = new float[critic.points()];
    dLimited = new float[critic.points()];
  }

  /**
   * The effect of the limit on the samples so far, averaged over samples and critics.
   *
   * @param freeLoss loss of the predictions
   * @param clippedLoss loss of the limited predictions
   * @param active fraction of predictions that the limit changed
   * @param binding fraction of samples whose clipped loss was the larger
   */
  public record Reading(double freeLoss, double clippedLoss, double active, double binding) {}

  /**
   * The loss of one sample.
   *
   * @param old the critic's outputs during the rollout, at an offset of their own
   * @param particles of which {@code number} from index {@code from} on are the targets
   * @param dOutputs receives {@code weight} times the derivative by each point
   */
  public double evaluate(
      float[] outputs,
      int offset,
      float[] old,
      int oldOffset,
      float[] particles,
      int from,
      int number,
      double weight,
      float[] dOutputs) {
    double free = critic.loss(outputs, offset, particles, from, number, weight, dOutputs);
    boolean changed = clip.apply(critic, outputs, offset, old, oldOffset, limited);
    double clipped =
        changed ? critic.loss(limited, 0, particles, from, number, weight, dLimited) : free;
    boolean larger = clipped > free;
    if (larger) {
      clip.gradient(critic, outputs, offset, old, oldOffset, dLimited, dOutputs);
    }
    samples++;
    freeSum += free;
    clippedSum += clipped;
    active += changed ? 1 : 0;
    binding += larger ? 1 : 0;
    return Math.max(free, clipped);
  }

  /** The effect of the limit on all samples that were evaluated. */
  public Reading reading() {
    return new Reading(
        freeSum / samples,
        clippedSum / samples,
        (double) active / samples,
        (double) binding / samples);
  }
}
