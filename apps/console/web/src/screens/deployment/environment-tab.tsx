import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Field, Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { matching } from './matching.js';
import { environmentQuery, type Variable } from './queries.js';
import { useChangeSearch, useDeploymentSearch } from './search.js';

/** The environment variables of the process, with their meaning, default and value. */
export function EnvironmentTab(): ReactNode {
  const { q, isSetOnly } = useDeploymentSearch();
  const change = useChangeSearch();
  const [typed, setTyped] = useState(q);
  const { data, error, refetch } = useQuery(environmentQuery);
  const shown = matching(data?.variables ?? [], { q, isSetOnly });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="max-w-prose text-[14px] text-soft">
        The deployment is configured by environment variables of its processes. A change holds from
        the next start on. Secrets never leave the server: the page says only whether they are set.
      </p>
      <div className="flex flex-wrap items-end gap-x-5 gap-y-3">
        <div className="min-w-0 grow basis-64 sm:max-w-sm">
          <Field
            label="Find a variable"
            type="search"
            value={typed}
            onChange={({ currentTarget: { value } }) => {
              setTyped(value);
              change({ q: value === '' ? undefined : value }, true);
            }}
          />
        </div>
        <div className="pb-2">
          <Tick
            label="Only those that are set"
            checked={isSetOnly}
            onChange={({ currentTarget: { checked } }) =>
              change({ only: checked ? 'set' : undefined })
            }
          />
        </div>
        {data && (
          <p role="status" className="pb-2 text-[13px] text-soft">
            {counted(shown.length, 'variable')}
          </p>
        )}
      </div>
      <ProblemNotice of={error} onRetry={() => void refetch()} />
      {!data && !error && (
        <div role="group" aria-busy aria-label="Loading" className="grid gap-3">
          <Skeleton className="w-64" />
          <Skeleton className="w-52" />
        </div>
      )}
      {data && shown.length === 0 && (
        <div className="grid justify-items-start gap-2 text-[14px]">
          <p>No variable matches.</p>
          <Button
            onClick={() => {
              setTyped('');
              change({ q: undefined, only: undefined });
            }}
          >
            Show all variables
          </Button>
        </div>
      )}
      {shown.length > 0 && (
        <ul
          aria-label="Environment variables"
          className="divide-y divide-line rounded-lg border border-line bg-surface"
        >
          {shown.map((variable) => (
            <VariableRow key={variable.name} of={variable} />
          ))}
        </ul>
      )}
    </div>
  );
}

function VariableRow({ of: variable }: { readonly of: Variable }): ReactNode {
  const { name, meaning, isSet } = variable;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-1 px-4 py-3 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="min-w-0">
        <h2 className="font-mono text-[14px] font-semibold break-all">{name}</h2>
        <p className="text-[13px] break-words text-soft">
          <WithCode text={meaning} />
        </p>
      </div>
      <dl className="grid grid-cols-[4rem_minmax(0,1fr)] content-start gap-x-2 gap-y-0.5 text-[13px] [&_dt]:text-soft">
        <dt>Value</dt>
        <dd className="break-all">
          <Value of={variable} />
        </dd>
        <dt>Default</dt>
        <dd className={`break-words ${isSet ? 'text-soft' : ''}`}>
          <WithCode text={variable.default} />
        </dd>
      </dl>
    </li>
  );
}

function Value({ of: { isSecret, isSet, value } }: { readonly of: Variable }): ReactNode {
  if (!isSet) return <span className="text-soft">not set</span>;
  if (isSecret)
    return (
      <span className="rounded-sm bg-good-soft px-1.5 text-[12px] font-medium text-good">
        set, hidden
      </span>
    );
  return <code>{value}</code>;
}

/** A text whose parts in backticks are code. */
function WithCode({ text }: { readonly text: string }): ReactNode {
  return text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      <code key={`${index} ${part}`} className="text-[12px] text-ink">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
