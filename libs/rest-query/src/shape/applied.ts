import type { Plan } from '../types/plan.js';
import type { Preferences } from '../types/request.js';

const WRITE_PREFERENCES = ['return', 'count', 'handling', 'tx', 'max-affected'];
const APPLIED_TO: Readonly<Record<Plan['kind'], readonly string[]>> = {
  read: ['count'],
  insert: [...WRITE_PREFERENCES, 'resolution', 'missing'],
  update: [...WRITE_PREFERENCES, 'missing'],
  delete: WRITE_PREFERENCES,
  call: [...WRITE_PREFERENCES, 'params'],
};

/** The header Preference-Applied: the given preferences that apply to the plan. */
export function appliedHeader(
  { kind }: Plan,
  { given }: Preferences,
): { readonly 'preference-applied'?: string } {
  const known = APPLIED_TO[kind];
  const applied = given.filter((preference) => known.includes(preference.split('=', 1)[0] ?? ''));
  return applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') };
}
