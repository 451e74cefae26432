import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import { useOperator } from '../../session/operator.js';
import { Choice } from '../../ui/field.js';
import { SearchField } from '../../ui/search-field.js';
import { operatorsQuery } from '../operators/queries.js';
import { projectsQuery } from '../projects/queries.js';
import { requestInWords } from './forwarded-requests.js';
import type { Entry, Log } from './queries.js';
import {
  type AuditSearch,
  type ChangeSearch,
  fieldTime,
  momentIn,
  noFilters,
  type TimeFilter,
} from './search.js';

interface FiltersProps {
  readonly log: Log;
  readonly search: AuditSearch;
  /** Those in sight: their actions, targets and operators are offered. */
  readonly entries: readonly Entry[];
  readonly onSearch: ChangeSearch;
  readonly choice: ReactNode;
}

const timeNames: Readonly<Record<TimeFilter, string>> = {
  hour: 'In the last hour',
  day: 'In the last day',
  week: 'In the last 7 days',
  month: 'In the last 30 days',
  between: 'Between…',
};

/** The filters. All of them are in the address. */
export function Filters({ log, search, entries, onSearch, choice }: FiltersProps): ReactNode {
  const isOfOne = log.kind === 'project' || log.kind === 'inside';
  const { data: projects = [] } = useQuery({ ...projectsQuery, enabled: !isOfOne });
  const operators = useKnownOperators(entries, search.operator);
  const { time, action, target, project, operator } = search;
  const set: ChangeSearch = (change, how) => onSearch({ ...change, open: undefined }, how);
  const type = (change: AuditSearch): void => set(change, { isTyped: true });
  const chips = [
    ['time', time && `Time: ${time === 'between' ? 'between' : timeNames[time].toLowerCase()}`],
    ['operator', operator && `Who: ${operators.get(operator) ?? operator}`],
    ['project', project && `Project: ${project}`],
    ['action', action && `Action: ${action}`],
    ['target', target && `Target: ${target}`],
  ] as const;
  const shown = chips.filter(([, text]) => text !== undefined);
  return (
    <div className="grid gap-2 pb-4">
      <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center">
        {choice && <div className="max-sm:col-span-2">{choice}</div>}
        <Choice
          label="Time"
          isBare
          className="w-full sm:w-auto"
          value={time ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            const next = timeKeys.find((key) => key === value);
            set({ time: next, from: undefined, to: undefined });
          }}
        >
          <option value="">Any time</option>
          {timeKeys.map((key) => (
            <option key={key} value={key}>
              {timeNames[key]}
            </option>
          ))}
        </Choice>
        <Choice
          label="Who"
          isBare
          className="w-full sm:w-auto sm:max-w-60"
          value={operator ?? ''}
          onChange={(event) => set({ operator: event.currentTarget.value || undefined })}
        >
          <option value="">Anyone</option>
          {[...operators].map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Choice>
        {!isOfOne && (
          <SearchField
            className="sm:w-52"
            label="Project"
            placeholder="Ref of a project"
            value={project}
            options={projects.map(({ ref, name }) => ({ value: ref, label: name }))}
            onChange={(next) => type({ project: next })}
          />
        )}
        <SearchField
          className="sm:w-52"
          label="Action"
          placeholder="Action"
          value={action}
          options={actionsOf(entries).map((value) => ({ value }))}
          onChange={(next) => type({ action: next })}
        />
        <SearchField
          className="sm:w-52"
          label="Target"
          placeholder="Target"
          value={target}
          options={targetsOf(entries)}
          onChange={(next) => type({ target: next })}
        />
      </div>
      {time === 'between' && <Between search={search} onSearch={type} />}
      {shown.length > 0 && (
        <ul aria-label="Filters" className="flex flex-wrap items-center gap-1.5">
          {shown.map(([name, text]) => (
            <li key={name} className="min-w-0">
              <button
                type="button"
                onClick={() =>
                  set(
                    name === 'time'
                      ? { time: undefined, from: undefined, to: undefined }
                      : { [name]: undefined },
                  )
                }
                className="inline-flex h-7 max-w-full items-center gap-1.5 rounded-md bg-accent-soft px-2 text-[13px] font-medium text-accent"
              >
                <span className="sr-only">Remove the filter </span>
                <span className="truncate">{text}</span>
                <X aria-hidden className="size-3.5 shrink-0" />
              </button>
            </li>
          ))}
          {shown.length > 1 && (
            <li>
              <button
                type="button"
                onClick={() => set(noFilters)}
                className="h-7 rounded-md px-2 text-[13px] text-soft hover:text-ink hover:underline"
              >
                Remove all
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

const timeKeys = ['hour', 'day', 'week', 'month', 'between'] as const;

interface BetweenProps {
  readonly search: AuditSearch;
  readonly onSearch: (change: AuditSearch) => void;
}

/** Two moments, in the zone of the browser. Either may be left open. */
function Between({ search: { from, to }, onSearch }: BetweenProps): ReactNode {
  const look =
    'h-9 w-full rounded-md border border-line-strong bg-surface px-3 text-ink shadow-lift focus-visible:outline-offset-0';
  return (
    <div className="flex flex-wrap gap-2 text-[13px] text-soft">
      <label className="grid gap-1 max-sm:w-full">
        From
        <input
          type="datetime-local"
          className={look}
          value={fieldTime(from)}
          onChange={(event) => onSearch({ from: momentIn(event.currentTarget.value) })}
        />
      </label>
      <label className="grid gap-1 max-sm:w-full">
        Before
        <input
          type="datetime-local"
          className={look}
          value={fieldTime(to)}
          onChange={(event) => onSearch({ to: momentIn(event.currentTarget.value) })}
        />
      </label>
    </div>
  );
}

/** The names of operators by their ids: all of them for administrators, else those of the entries in sight. */
function useKnownOperators(
  entries: readonly Entry[],
  chosen: string | undefined,
): ReadonlyMap<string, string> {
  const { data: session } = useOperator();
  const isAdmin = session?.operator.isDeploymentAdmin === true;
  const { data: operators = [] } = useQuery({ ...operatorsQuery, enabled: isAdmin });
  const known = new Map(operators.map(({ id, email }) => [id, email]));
  for (const { actor } of entries) {
    if (actor.id !== null && !known.has(actor.id)) known.set(actor.id, actor.name);
  }
  if (chosen !== undefined && !known.has(chosen)) known.set(chosen, chosen);
  return new Map([...known].toSorted(([, one], [, other]) => one.localeCompare(other)));
}

/** The actions of the entries with their first parts, such as `project` and `project.pause`. */
function actionsOf(entries: readonly Entry[]): readonly string[] {
  const names = entries.flatMap(({ action }) => [action.split('.')[0] ?? action, action]);
  return [...new Set(names)].toSorted();
}

/** The targets of the entries, those of requests with what they do. */
function targetsOf(
  entries: readonly Entry[],
): readonly { readonly value: string; readonly label?: string }[] {
  const words = new Map(entries.map((entry) => [entry.target, requestInWords(entry)]));
  return [...words]
    .map(([value, label]) => ({ value, ...(label !== undefined && { label }) }))
    .toSorted((one, other) => one.value.localeCompare(other.value));
}
