package io.quantail.health;

import java.util.List;

/**
 * A rule that turns metrics into alerts: complete and checked.
 *
 * <p>It raises its alert when its condition held in {@code patience} updates in a row and ends it
 * when the condition did not hold in {@code calm} updates in a row. A row that says nothing about
 * the metric neither counts nor breaks a run of updates.
 *
 * @param name lower-case words joined by {@code -}
 * @param condition what is looked for
 * @param patience updates in a row after which the alert is raised
 * @param warmup first updates of a run that do not count
 * @param calm updates in a row without it after which the alert ends
 * @param severity how much it matters
 * @param unless rules whose condition, where it holds, excuses this one, also when they are off
 * @param with metrics whose values are told beside
 * @param why why it matters
 * @param advice what to try
 * @param source where the rule comes from
 * @param enabled whether it raises alerts
 */
record Rule(
    String name,
    Condition condition,
    int patience,
    int warmup,
    int calm,
    Severity severity,
    List<String> unless,
    List<String> with,
    String why,
    String advice,
    String source,
    boolean enabled) {}
