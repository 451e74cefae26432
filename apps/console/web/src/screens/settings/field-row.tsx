import { RotateCcw, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { secondsInWords, valueText } from './diff.js';
import { type LeafForm, type Source, valueAt } from './form.js';
import { LeafControl } from './leaf-control.js';
import { idOf, isWithin, useOpenForm } from './use-form.js';

interface RowProps {
  readonly field: LeafForm;
  readonly path: string;
  /** What the input shows while it is empty. */
  readonly placeholder?: string;
}

/** A field of the group with its input, where its value comes from, and the way back. */
export function FieldRow({ field, path, placeholder }: RowProps): ReactNode {
  const form = useOpenForm();
  const id = idOf(path);
  const change = form.draft.get(path);
  const value = form.value(path);
  const problem = form.problem && isWithin(form.problem.path, path) ? form.problem : undefined;
  const source = form.source(path);
  const isFlag = field.kind === 'flag';
  const isWords = field.kind === 'list' && field.limits.of !== undefined;
  const hint = hintOf(field, value);
  const unsetName =
    field.kind === 'secret' ? 'Remove' : `Use ${unstoredName(field, path, form.loaded)}`;
  const label = <span className="min-w-0 text-[14px] font-medium break-words">{field.label}</span>;
  const control = (
    <LeafControl
      id={id}
      field={field}
      value={value}
      onChange={(next) => form.set(path, next)}
      isInvalid={problem !== undefined}
      describedBy={`${id}-about`}
      placeholder={
        field.kind === 'secret' ? secretHint(source, change?.kind === 'unset') : placeholder
      }
    />
  );
  return (
    <div
      className={`grid grid-cols-[minmax(0,1fr)] gap-1.5 border-l-2 pl-3 ${change ? 'border-accent' : 'border-transparent'}`}
    >
      <div className="flex min-h-7 flex-wrap items-center gap-x-2 gap-y-1">
        {isWords ? (
          label
        ) : (
          <label htmlFor={id} className="flex min-w-0 items-center gap-2.5">
            {isFlag && control}
            {label}
          </label>
        )}
        <span className="mr-auto rounded-sm bg-sunken px-1.5 text-[12px] text-soft">
          {change ? 'not saved' : source}
        </span>
        {change ? (
          <Button
            look="quiet"
            size="small"
            aria-label={`Take back the change of ${field.label}`}
            onClick={() => form.undo(path)}
          >
            <Undo2 aria-hidden className="size-3.5" />
            Take back
          </Button>
        ) : (
          source === 'stored' && (
            <Button
              look="quiet"
              size="small"
              aria-label={`${unsetName} for ${field.label}`}
              onClick={() => form.unset(path)}
            >
              <RotateCcw aria-hidden className="size-3.5" />
              {unsetName}
            </Button>
          )
        )}
      </div>
      {!isFlag && control}
      <p
        key={problem ? 'problem' : 'hint'}
        id={`${id}-about`}
        role={problem ? 'alert' : undefined}
        className={`text-[13px] break-words ${problem ? 'text-danger' : 'text-soft'} empty:hidden`}
      >
        {problem?.reason ?? hint}
      </p>
    </div>
  );
}

/** What a field would have if it were not stored, in a few words. */
function unstoredName(
  field: LeafForm,
  path: string,
  { unstored }: { readonly unstored: unknown },
): string {
  const value = valueAt(unstored, path) ?? undefined;
  const text = value === undefined ? 'no value' : valueText(field, value);
  return text.length > 24 ? 'the default' : text;
}

/** The help of a field with its limits and, for times, their length in words. */
export function hintOf({ help, limits }: LeafForm, value: unknown): string {
  const { min, max, unit, isClamped } = limits;
  const range =
    min !== undefined && max !== undefined && max < Number.MAX_SAFE_INTEGER
      ? `${min} to ${max}${unit === 's' ? ' seconds' : ''}${isClamped ? '; other values are moved into it' : ''}.`
      : '';
  const words =
    unit === 's' && typeof value === 'number' ? secondsInWords(value).trim().slice(1, -1) : '';
  return [help, range, words && `Now ${words}.`].filter(Boolean).join(' ');
}

export function secretHint(source: Source, isRemoved: boolean): string {
  if (isRemoved) return 'Removed when you save';
  if (source === 'stored') return 'Stored; type to replace it';
  return source === 'environment' ? 'Set by the environment' : 'Not set';
}
