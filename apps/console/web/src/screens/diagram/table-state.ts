import { counted } from '../../ui/counted.js';
import type { SchemaTable } from '../project/schema.js';

export interface TableState {
  readonly kind: 'good' | 'warn' | 'danger' | 'soft';
  /** Short words for the head of a box. */
  readonly words: string;
  readonly title: string;
}

/** Who may reach the rows of a table, as the head of its box says it. */
export function stateOf({ kind, hasRls, policyCount, isExposed }: SchemaTable): TableState {
  if (kind !== 'table' && kind !== 'partitioned')
    return { kind: 'soft', words: kind, title: `A ${kind}, which the REST API does not serve.` };
  if (!isExposed)
    return { kind: 'soft', words: 'not exposed', title: 'The REST API does not serve this table.' };
  if (!hasRls)
    return {
      kind: 'danger',
      words: 'RLS off',
      title: 'Row level security is off: every caller with rights on the table reaches all rows.',
    };
  if (policyCount === 0)
    return {
      kind: 'warn',
      words: 'no policy',
      title: 'Row level security is on without a policy: only the secret key reaches rows.',
    };
  const policies = counted(policyCount, 'policy');
  return { kind: 'good', words: 'RLS', title: `Row level security is on, with ${policies}.` };
}
