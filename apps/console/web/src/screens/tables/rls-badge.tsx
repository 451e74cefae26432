import { counted } from '../../ui/counted.js';
import type { SchemaTable } from '../project/schema.js';
import { Shield, ShieldAlert, ShieldOff } from 'lucide-react';
import type { ReactNode } from 'react';

/** Who may reach the rows of a table, always beside its name. */
export function RlsBadge({ of: table }: { readonly of: SchemaTable }): ReactNode {
  const { look, Icon, words, title } = stateOf(table);
  return (
    <span
      title={title}
      className={`inline-flex h-6 items-center gap-1.5 rounded-full px-2.5 text-[12px] font-semibold whitespace-nowrap ${look}`}
    >
      <Icon aria-hidden className="size-3.5" />
      {words}
    </span>
  );
}

function stateOf({ hasRls, policyCount, isExposed, kind }: SchemaTable) {
  if (!isExposed) {
    const title =
      kind === 'table' || kind === 'partitioned'
        ? 'The REST API does not serve this table.'
        : `The REST API does not serve this ${kind}.`;
    return { look: 'bg-sunken text-soft', Icon: Shield, words: 'Not exposed', title };
  }
  if (!hasRls) {
    const title =
      'Row level security is off: every caller with rights on the table reaches all rows.';
    return {
      look: 'bg-danger-soft text-danger',
      Icon: ShieldOff,
      words: 'RLS off · exposed',
      title,
    };
  }
  if (policyCount === 0) {
    const title = 'Row level security is on without a policy: only the secret key reaches rows.';
    return {
      look: 'bg-warn-soft text-warn',
      Icon: ShieldAlert,
      words: 'RLS on · no policy',
      title,
    };
  }
  const count = counted(policyCount, 'policy');
  const title = `Row level security is on: ${count} ${policyCount === 1 ? 'decides' : 'decide'} which rows callers reach.`;
  return { look: 'bg-good-soft text-good', Icon: Shield, words: `RLS on · ${count}`, title };
}
