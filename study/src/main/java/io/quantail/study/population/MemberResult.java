package io.quantail.study.population;

import java.io.Serializable;

/**
 * Result of a member's training in one generation.
 *
 * @param snapshot name of its snapshot's directory, in that of the attempt
 * @param hash SHA-256 of the snapshot's state
 * @param score mean return of the held-out episodes; higher is better
 * @param updates done by the member's lineage
 * @param steps environment steps done by the member's lineage
 * @param learningRate that its next update uses
 * @param trainingReturn mean return of the last episodes in training; NaN if none ended
 */
public record MemberResult(
    String snapshot,
    String hash,
    double score,
    long updates,
    long steps,
    double learningRate,
    double trainingReturn)
    implements Serializable {}
