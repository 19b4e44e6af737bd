package io.quantail.run.health;

import java.util.List;

/**
 * Validated rule that turns metrics into alerts.
 *
 * <p>It raises its alert when its condition held in {@code patience} consecutive updates and clears
 * it when the condition did not hold in {@code calm} consecutive updates. A row without the metric
 * is ignored.
 *
 * @param name lower-case words joined by {@code -}
 * @param condition on the metrics of an update
 * @param patience consecutive updates after which the alert is raised
 * @param warmup number of first updates that are ignored
 * @param calm consecutive updates without it after which the alert is cleared
 * @param severity how much it matters
 * @param unless rules that suppress this one while their condition holds, also when disabled
 * @param with further metrics whose values are reported
 * @param why why it matters
 * @param advice what to try
 * @param source of the rule
 * @param enabled whether it raises alerts
 */
record HealthRule(
    String name,
    RuleCondition condition,
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
