import { Plus, Trash2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';

import { isRecord } from '../../api/json.js';
import { Button } from '../../ui/button.js';
import { CopyField } from '../../ui/copy.js';
import { hintOf, secretHint } from './field-row.js';
import { type EntriesForm, type FieldForm, type Json, sentinel, valueAt } from './form.js';
import { LeafControl } from './leaf-control.js';
import { idOf, isWithin, useOpenForm } from './use-form.js';

interface EntriesProps {
  readonly field: EntriesForm;
  readonly path: string;
  /** The address to register at the provider with this key. */
  readonly callbackOf: (key: string) => string | undefined;
}

/** Several objects of one shape, such as providers; they are written together. */
export function EntriesInput({ field, path, callbackOf }: EntriesProps): ReactNode {
  const form = useOpenForm();
  const entries = recordsIn(form.value(path));
  const stored = recordsIn(valueAt(form.loaded.values, path));
  const change = form.draft.get(path);
  const { maxItems = Number.POSITIVE_INFINITY } = field.limits;
  const problem = form.problem && isWithin(form.problem.path, path) ? form.problem : undefined;
  const set = (next: readonly Json[]): void => form.set(path, next.map(withoutNulls));
  return (
    <section
      id={idOf(path)}
      tabIndex={-1}
      aria-label={field.label}
      className={`grid grid-cols-[minmax(0,1fr)] gap-3 border-l-2 pl-3 ${change ? 'border-accent' : 'border-transparent'}`}
    >
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="mr-auto text-[14px] font-medium">{field.label}</h3>
        {change && (
          <Button look="quiet" size="small" onClick={() => form.undo(path)}>
            <Undo2 aria-hidden className="size-3.5" />
            Take back
          </Button>
        )}
        <Button
          size="small"
          disabled={entries.length >= maxItems}
          onClick={() => set([...entries, {}])}
        >
          <Plus aria-hidden className="size-3.5" />
          Add
        </Button>
      </div>
      {field.help !== undefined && <p className="text-[13px] text-soft">{field.help}</p>}
      {entries.length === 0 && (
        <p className="text-[14px] text-soft">There is none. “Add” begins the first one.</p>
      )}
      {problem?.path === path && (
        <p role="alert" className="text-[13px] text-danger">
          {problem.reason}
        </p>
      )}
      {entries.map((entry, index) => {
        const key = typeof entry[field.key] === 'string' ? String(entry[field.key]) : '';
        const callback = callbackOf(key);
        return (
          <fieldset
            // An entry has no id before it is saved, and its key is edited.
            key={index}
            className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3 rounded-md border border-line p-3"
          >
            <legend className="px-1 text-[13px] font-semibold">
              {key || `Entry ${index + 1}`}
            </legend>
            {field.fields.map((inner) => (
              <EntryField
                key={inner.name}
                field={inner}
                id={idOf(`${path}[${index}].${inner.name}`)}
                value={entry[inner.name] ?? undefined}
                hasSecret={
                  stored.find((each) => each[field.key] === entry[field.key])?.[inner.name] ===
                  sentinel
                }
                problem={
                  problem?.path === `${path}[${index}].${inner.name}` ? problem.reason : undefined
                }
                onChange={(value) =>
                  set(
                    entries.map((each, place) =>
                      place === index ? { ...each, [inner.name]: value ?? null } : each,
                    ),
                  )
                }
              />
            ))}
            {callback !== undefined && <CopyField label="Callback URL" text={callback} />}
            <Button
              look="quiet"
              size="small"
              className="justify-self-end"
              aria-label={`Remove ${key || `entry ${index + 1}`}`}
              onClick={() => set(entries.filter((_each, place) => place !== index))}
            >
              <Trash2 aria-hidden className="size-3.5" />
              Remove
            </Button>
          </fieldset>
        );
      })}
    </section>
  );
}

interface EntryFieldProps {
  readonly field: FieldForm;
  readonly id: string;
  readonly value: unknown;
  /** A secret is stored for it. */
  readonly hasSecret: boolean;
  readonly problem: string | undefined;
  readonly onChange: (value: unknown) => void;
}

function EntryField(props: EntryFieldProps): ReactNode {
  const { field, id, value, hasSecret, problem, onChange } = props;
  // The declarations have no objects in entries.
  if (field.kind === 'object' || field.kind === 'entries') return null;
  const isFlag = field.kind === 'flag';
  const shown = value ?? field.default ?? undefined;
  const control = (
    <LeafControl
      id={id}
      field={field}
      value={shown}
      onChange={(next) =>
        onChange(field.kind === 'secret' && next === undefined && hasSecret ? sentinel : next)
      }
      isInvalid={problem !== undefined}
      describedBy={`${id}-about`}
      placeholder={
        field.kind === 'secret' ? secretHint(hasSecret ? 'stored' : 'default', false) : undefined
      }
    />
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <label htmlFor={id} className="flex items-center gap-2.5 text-[14px] font-medium">
        {isFlag && control}
        {field.label}
      </label>
      {!isFlag && control}
      <p
        key={problem === undefined ? 'hint' : 'problem'}
        id={`${id}-about`}
        role={problem === undefined ? undefined : 'alert'}
        className={`text-[13px] empty:hidden ${problem === undefined ? 'text-soft' : 'text-danger'}`}
      >
        {problem ?? hintOf(field, shown)}
      </p>
    </div>
  );
}

function recordsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function withoutNulls(entry: Json): Json {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
}
