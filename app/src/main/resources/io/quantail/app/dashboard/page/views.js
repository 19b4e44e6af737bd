// The panels of each view as data: titles, metrics, names. A panel without any of its metrics is omitted.

const line = (metric, name) => ({ metric, name });

/** One line for each metric that matches a pattern; the captured group is its name. */
const each = (names, pattern, rename = text => text) => names
  .map(name => [name, pattern.exec(name)])
  .filter(([, match]) => match)
  .map(([name, match]) => line(name, rename(match[1])));

const layer = text => text.replace(/\.lstm\./, ' LSTM ').replace(/\./g, ' ');

/** The CVaR limit of the settings as a horizontal line; empty if no limit is set. */
function limitOf(settings) {
  const limit = settings?.risk?.limit;
  return typeof limit === 'number' ? [{ name: 'limit ' + limit, value: limit, inView: true }] : [];
}

export const views = {
  overview: names => [
    { title: 'Mean return of episodes', unit: 'reward', alerts: true, wide: true,
      lines: names.includes('validation/return')
        ? [line('rollout/ep_rew_mean', 'training, mean of episodes'), line('validation/return', 'validation, one pass')]
        : [line('rollout/ep_rew_mean', 'return')] },
    { title: 'Losses', unit: 'loss',
      lines: [line('train/policy_loss', 'policy'), line('train/value_ce_loss', 'critics'), line('train/loss', 'total')] },
    { title: 'Explained variance', unit: 'fraction',
      lines: [line('train/explained_variance', 'after the update'), line('train/ev/holdout', 'before the update (unseen)')] },
    { title: 'Speed', unit: 'steps per second', zero: true, lines: [line('time/fps', 'since the process started')] },
    { title: 'Episode length', unit: 'steps', lines: [line('rollout/ep_len_mean', 'length')] },
    { title: 'Learning rate', unit: 'rate', lines: [line('train/learning_rate', 'current')] },
  ],
  values: () => [
    { title: 'Predicted distribution of returns', unit: 'normalised return', wide: true,
      lines: [line('train/value_quantile_p50', 'median'), line('train/target_return_mean', 'mean of targets')],
      bands: [
        { low: 'train/value_quantile_p05', high: 'train/value_quantile_p95', name: '5 % to 95 %', strength: 0.16, level: 1 },
        { low: 'train/value_quantile_p25', high: 'train/value_quantile_p75', name: '25 % to 75 %', strength: 0.3, level: 2 },
      ] },
    { title: 'Values and targets', unit: 'normalised return',
      lines: [line('train/value_pred_mean', 'predicted'), line('train/target_return_mean', 'target')] },
    { title: 'Dispersion of values and targets', unit: 'normalised return', zero: true,
      lines: [line('train/value_pred_std', 'predicted'), line('train/target_return_std', 'target'), line('train/value_quantile_iqr', 'interquartile range')] },
    { title: 'Value error', unit: 'normalised return', zero: true,
      lines: [line('train/value_rmse', 'root mean square'), line('train/value_mae', 'mean absolute')] },
    { title: 'Return scale', unit: 'reward', lines: [line('train/ret_mean', 'mean'), line('train/ret_std', 'standard deviation')] },
    { title: 'Twin critics', unit: 'normalised return', zero: true, lines: [line('train/twin_critics/value_gap', 'gap between values')] },
    { title: 'Loss of each critic', unit: 'loss',
      lines: [line('train/twin_critics/critic_1_loss', 'first'), line('train/twin_critics/critic_2_loss', 'second')] },
  ],
  calibration: (names, settings) => [
    { title: 'Coverage: realised returns below predicted quantiles', unit: 'fraction', percent: true, zero: true, wide: true,
      lines: [line('train/calibration/coverage_05', '5 % quantile'), line('train/calibration/coverage_20', '20 % quantile'),
        line('train/calibration/coverage_50', 'median'), line('train/calibration/coverage_95', '95 % quantile')],
      limits: [0.05, 0.2, 0.5, 0.95].map(level => ({ name: 100 * level + ' %', value: level })) },
    { title: 'Predicted and realised tail', unit: 'reward, mean of the worst ' + (typeof settings?.risk?.alpha === 'number' ? 100 * settings.risk.alpha + ' %' : 'returns'),
      lines: [line('train/calibration/tail_predicted', 'predicted'), line('train/calibration/tail_realised', 'realised')] },
    { title: 'PIT deviation', unit: 'mean distance from uniform levels', zero: true,
      lines: [line('train/calibration/pit_deviation', 'deviation')], limits: [{ name: 'calibrated below 0.05', value: 0.05, inView: true }, { name: 'alert above 0.08', value: 0.08 }] },
    { title: 'Pool', unit: 'independent predictions; measured and emptied from 200 on', zero: true,
      lines: [line('train/calibration/independent', 'independent')], limits: [{ name: '200', value: 200, inView: true }] },
    { title: 'Compared predictions', unit: 'fraction of the transitions', zero: true, lines: [line('train/calibration/usable_fraction', 'fraction')] },
    { title: 'Age of compared predictions', unit: 'updates', zero: true, lines: [line('train/calibration/lag_updates', 'mean')] },
  ],
  risk: (names, settings) => [
    { title: 'CVaR (mean of the worst outcomes)', unit: 'reward', wide: true,
      lines: [line('train/cvar_empirical', 'measured'), line('train/cvar_empirical_ema', 'measured, smoothed'),
        ...(settings?.risk?.measure === 'returns' ? [line('train/cvar_raw', 'predicted')] : [])],
      limits: limitOf(settings) },
    { title: 'Gap to the limit', unit: 'reward, positive if violated',
      lines: [line('train/cvar_gap', 'gap'), line('train/cvar_violation_ema', 'violation, smoothed')], limits: [{ name: '', value: 0, inView: true }] },
    { title: 'Lagrange multiplier of the limit', unit: 'factor', zero: true,
      lines: [line('train/cvar_lambda', 'lambda'), line('train/cvar_weight_effective', 'weight in the loss')] },
    // A limit on rewards does not apply to the CVaR of returns, so the two are drawn apart.
    { title: 'Predicted CVaR of returns', unit: 'reward', lines: settings?.risk?.measure === 'returns' ? [] : [line('train/cvar_raw', 'predicted')] },
    { title: 'In normalised units', unit: 'normalised return',
      lines: [line('train/cvar_empirical_unit', 'measured'), line('train/cvar_unit', 'predicted'), line('train/cvar_limit_unit', 'limit')] },
    { title: 'Terms of the loss', unit: 'loss', lines: [line('train/cvar_term', 'penalty'), line('train/constraint_term', 'constraint')] },
  ],
  gradients: names => [
    { title: 'Gradient norm', unit: 'norm', wide: true, log: true,
      lines: [line('train/grad_norm_pre_clip', 'before clipping'), line('train/grad_norm_post_clip', 'after clipping'), line('train/max_grad_norm_used', 'limit')] },
    { title: 'LSTM layers', unit: 'norm', log: true, lines: each(names, /^train\/lstm_grad_norm\/(.+)$/, layer) },
    { title: 'Critic heads', unit: 'norm', log: true, lines: [line('train/critic1_grad_norm', 'first'), line('train/critic2_grad_norm', 'second')] },
    { title: 'First critic over second', unit: 'ratio', log: true,
      lines: [line('train/critics_grad_ratio', 'ratio')], limits: [{ name: 'equal', value: 1 }] },
    { title: 'Change of the parameters', unit: 'norm', log: true, lines: [line('optim/update_norm', 'first step of the update')] },
    { title: 'Hidden state of the LSTM', unit: 'root mean square', zero: true, lines: each(names, /^lstm\/h_norm_layer(\d+)$/, text => 'layer ' + text) },
    { title: 'Variance gradient scaling', unit: 'factor', zero: true, lines: [line('train/vgs_scaling_factor_applied', 'applied')] },
    { title: 'UPGD gates', unit: 'fraction', zero: true,
      lines: [line('optim/gate_mean', 'mean'), line('optim/gate_min', 'most protected'), line('optim/gate_max', 'least protected')] },
  ],
  policy: () => [
    { title: 'Entropy', unit: 'nats',
      lines: [line('train/policy_entropy', 'mean'), line('train/policy_entropy_min', 'lowest'), line('train/policy_entropy_max', 'highest')] },
    { title: 'KL from old to new policy', unit: 'nats', zero: true,
      lines: [line('train/approx_kl_k3', 'mean'), line('train/approx_kl_max', 'largest step'), line('train/target_kl', 'target')] },
    { title: 'Clipped ratios', unit: 'fraction', zero: true, percent: true, lines: [line('train/clip_fraction', 'fraction')] },
    { title: 'Probability ratio', unit: 'new over old', lines: [line('train/ratio_mean', 'mean'), line('train/ratio_std', 'standard deviation')] },
    { title: 'Standard deviation of actions', unit: 'before squashing', zero: true,
      lines: [line('diag/sigma_new_p50', 'median'), line('diag/sigma_new_p10', '10th percentile')] },
    { title: 'Advantages', unit: 'standard deviations',
      lines: [line('train/adv_z_p90', '90th percentile'), line('train/adv_z_p50', 'median'), line('train/adv_z_p10', '10th percentile')] },
    { title: 'Epochs', unit: 'count', zero: true,
      lines: [line('train/n_epochs_completed', 'completed'), line('train/n_epochs_effective', 'planned')] },
    { title: 'Entropy coefficient', unit: 'coefficient', zero: true, lines: [line('train/ent_coef_eff', 'current')] },
  ],
};

/** The panels of a view, with those metrics only that the run has. */
export function panelsOf(view, names, settings) {
  const known = new Set(names);
  return views[view](names, settings)
    .map(panel => ({
      ...panel,
      lines: panel.lines.filter(one => known.has(one.metric)),
      bands: (panel.bands ?? []).filter(band => known.has(band.low) && known.has(band.high)),
    }))
    .filter(panel => panel.lines.length > 0);
}

export function metricsOf(panel) {
  return [...panel.lines.map(one => one.metric), ...panel.bands.flatMap(band => [band.low, band.high])];
}
