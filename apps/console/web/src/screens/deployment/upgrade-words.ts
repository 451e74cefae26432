import { counted } from '../../ui/counted.js';
import type { Deployment } from './queries.js';

/** How far the projects are on their way to this release, in words. */
export function upgradeWords({ upgrade: { pending, run } }: Deployment['fleet']): {
  readonly kind: 'good' | 'warning' | 'plain';
  readonly sentence: string;
} {
  const left = `${counted(pending, 'project')} ${pending === 1 ? 'lacks' : 'lack'} something of this release`;
  if (run?.state === 'stopped') {
    return {
      kind: 'warning',
      sentence: `The upgrade has stopped in wave ${run.wave} of ${run.waves}: ${run.failed} of ${run.attempted} failed, and ${left}.`,
    };
  }
  if (run?.state === 'open') {
    return {
      kind: 'plain',
      sentence: `An upgrade is in wave ${run.wave} of ${run.waves}: ${run.attempted} of ${run.size} tried, ${run.failed} failed. ${left}.`,
    };
  }
  if (pending > 0) {
    return {
      kind: 'warning',
      sentence: `${left}. They are upgraded at their first use, or by rowhouse upgrade.`,
    };
  }
  return { kind: 'good', sentence: 'Every project has all that this release needs.' };
}
