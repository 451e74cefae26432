import { FlaskConical, Lock, LockOpen, Plus, ShieldCheck, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { useMay } from '../project/use-project.js';
import { DropDialog, RlsDialog } from './change-dialogs.js';
import { useChangeSearch } from './use-change-search.js';
import type { Policy, PolicyTable } from './queries.js';
import { policySentence } from './sentence.js';
import { accessInWords, stateOf, type TableState } from './table-state.js';

interface TableCardProps {
  readonly table: PolicyTable;
  readonly mayChange: boolean;
}

const looks: Readonly<
  Record<TableState['kind'], { readonly look: string; readonly Icon: typeof Lock }>
> = {
  open: { look: 'bg-danger-soft text-danger', Icon: LockOpen },
  unsecured: { look: 'bg-warn-soft text-warn', Icon: TriangleAlert },
  closed: { look: 'bg-sunken text-soft', Icon: Lock },
  secured: { look: 'bg-good-soft text-good', Icon: ShieldCheck },
};

/** A table: its state, what callers reach and lack, and its policies as sentences. */
export function TableCard({ table, mayChange }: TableCardProps): ReactNode {
  const { schema, name, hasRls, policies } = table;
  const change = useChangeSearch();
  const mayTry = useMay('content.write');
  const [isSwitching, setSwitching] = useState(false);
  const [dropped, setDropped] = useState<string>();
  const edit = `${schema}.${name}`;
  const isPlatform = schema === 'storage' || schema === 'realtime';
  return (
    <section
      aria-label={`Table ${edit}`}
      className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 rounded-lg border border-line bg-surface p-4 sm:p-5"
    >
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="min-w-0 font-mono text-[15px] font-semibold break-all">
          <span className="font-normal text-soft">{schema}.</span>
          {name}
        </h2>
        <StateMark of={stateOf(table)} />
        <div className="ml-auto flex flex-wrap items-center gap-1">
          {mayTry && schema === 'public' && (
            <Button
              size="small"
              look="quiet"
              aria-label={`Try ${edit} in the lab`}
              onClick={() => change({ tab: 'lab', do: 'select', table: name, query: undefined })}
            >
              <FlaskConical aria-hidden className="size-3.5" /> Try
            </Button>
          )}
          {mayChange && !isPlatform && (
            <Button size="small" look="quiet" onClick={() => setSwitching(true)}>
              Turn {hasRls ? 'off' : 'on'} row level security
              <span className="sr-only"> of {edit}</span>
            </Button>
          )}
          {mayChange && (
            <Button size="small" onClick={() => change({ edit, policy: undefined })}>
              <Plus aria-hidden className="size-3.5" /> New policy
              <span className="sr-only"> for {edit}</span>
            </Button>
          )}
        </div>
      </header>
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-y-1 text-[13px]">
        {(['anon', 'authenticated'] as const).map((role) => (
          <div key={role} className="flex flex-wrap gap-x-1.5">
            <dt className="font-mono">{role}</dt>
            <dd className="text-soft">{accessInWords(table, role)}</dd>
          </div>
        ))}
      </dl>
      {policies.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {policies.map((policy) => (
            <PolicyLine
              key={policy.name}
              policy={policy}
              mayChange={mayChange}
              onEdit={() => change({ edit, policy: policy.name })}
              onDrop={() => setDropped(policy.name)}
            />
          ))}
        </ul>
      )}
      {isSwitching && <RlsDialog table={table} onClose={() => setSwitching(false)} />}
      {dropped !== undefined && (
        <DropDialog table={table} policy={dropped} onClose={() => setDropped(undefined)} />
      )}
    </section>
  );
}

function StateMark({ of: { kind, words } }: { readonly of: TableState }): ReactNode {
  const { look, Icon } = looks[kind];
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-[12px] font-medium ${look}`}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {words}
    </span>
  );
}

interface PolicyLineProps {
  readonly policy: Policy;
  readonly mayChange: boolean;
  readonly onEdit: () => void;
  readonly onDrop: () => void;
}

function PolicyLine({ policy, mayChange, onEdit, onDrop }: PolicyLineProps): ReactNode {
  const { name, command, isPermissive, using, check, comment } = policy;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 py-3 last:pb-0">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="min-w-0 text-[14px] font-semibold break-words">{name}</h3>
        <span className="rounded-sm bg-sunken px-1.5 font-mono text-[12px] text-soft">
          {command}
        </span>
        {!isPermissive && (
          <span className="rounded-sm bg-warn-soft px-1.5 text-[12px] text-warn">restrictive</span>
        )}
        {mayChange && (
          <span className="ml-auto flex gap-1">
            <Button size="small" look="quiet" aria-label={`Edit ${name}`} onClick={onEdit}>
              Edit
            </Button>
            <Button size="small" look="quiet" aria-label={`Delete ${name}`} onClick={onDrop}>
              Delete
            </Button>
          </span>
        )}
      </div>
      <p className="text-[14px] break-words">{policySentence(policy)}</p>
      {comment !== null && <p className="text-[13px] text-soft">{comment}</p>}
      <details className="text-[13px]">
        <summary className="w-fit cursor-pointer rounded-sm text-soft">
          SQL<span className="sr-only"> of {name}</span>
        </summary>
        <pre
          tabIndex={0}
          className="mt-1 overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-[12px]"
        >
          {[
            ...(using === null ? [] : [`using ${using}`]),
            ...(check === null ? [] : [`with check ${check}`]),
          ].join('\n') || 'no expression'}
        </pre>
      </details>
    </li>
  );
}
