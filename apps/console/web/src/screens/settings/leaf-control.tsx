import { type ReactNode, useState } from 'react';

import { Tick } from '../../ui/field.js';
import { type LeafForm, sentinel } from './form.js';

const look =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-ink shadow-lift focus-visible:outline-offset-0 aria-[invalid=true]:border-danger';

interface ControlProps {
  readonly id: string;
  readonly field: LeafForm;
  /** Undefined: the field has no value. */
  readonly value: unknown;
  /** Undefined: the field returns to its default. */
  readonly onChange: (value: unknown) => void;
  readonly isInvalid: boolean;
  readonly describedBy: string | undefined;
  /** What an input without a text shows. */
  readonly placeholder?: string | undefined;
}

/** The input of one field, by its declaration. */
export function LeafControl(props: ControlProps): ReactNode {
  const { id, field, value, onChange, isInvalid, describedBy, placeholder } = props;
  const common = {
    id,
    'aria-invalid': isInvalid || undefined,
    'aria-describedby': describedBy,
  };
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  switch (field.kind) {
    case 'flag':
      return (
        <input
          {...common}
          type="checkbox"
          role="switch"
          className="size-4 accent-accent"
          checked={value === true}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
      );
    case 'integer':
      return (
        <input
          {...common}
          inputMode="numeric"
          className={`${look} h-9 max-w-56`}
          value={text}
          placeholder={placeholder}
          onChange={({ currentTarget }) => onChange(numberOf(currentTarget.value))}
        />
      );
    case 'choice':
      return (
        <select
          {...common}
          className={`${look} h-9 max-w-80 pr-8`}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          {(field.limits.of ?? []).map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      );
    case 'list':
      return field.limits.of ? <Words {...props} /> : <Lines {...props} common={common} />;
    case 'secret':
      return (
        <input
          {...common}
          type="password"
          autoComplete="new-password"
          className={`${look} h-9`}
          value={value === sentinel ? '' : text}
          placeholder={placeholder}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      );
    case 'text':
      return field.limits.multiline ? (
        <textarea
          {...common}
          className={`${look} min-h-36 py-2 font-mono text-[13px] leading-relaxed`}
          rows={7}
          value={text}
          placeholder={placeholder}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      ) : (
        <input
          {...common}
          className={`${look} h-9`}
          value={text}
          placeholder={placeholder}
          onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
        />
      );
  }
}

/** Digits as a number; another text as it is, so that the server says what is wrong with it. */
function numberOf(text: string): unknown {
  if (text === '') return undefined;
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** A list of which every word is known. */
function Words({ id, field, value, onChange, describedBy }: ControlProps): ReactNode {
  const chosen = textsOf(value);
  const words = field.limits.of ?? [];
  return (
    <div
      id={id}
      role="group"
      tabIndex={-1}
      aria-label={field.label}
      aria-describedby={describedBy}
      className="grid gap-1.5 sm:grid-cols-2"
    >
      {words.map((word) => (
        <Tick
          key={word}
          label={word}
          checked={chosen.includes(word)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(words.filter((each) => (each === word ? checked : chosen.includes(each))))
          }
        />
      ))}
    </div>
  );
}

/** A list of texts, one in a line. */
function Lines({
  value,
  onChange,
  placeholder,
  common,
}: ControlProps & { readonly common: object }): ReactNode {
  const entries = textsOf(value);
  const [typed, setTyped] = useState(entries.join('\n'));
  // What was typed has blank lines that the value has not.
  const isTyped = JSON.stringify(entriesIn(typed)) === JSON.stringify(entries);
  const shown = isTyped ? typed : entries.join('\n');
  return (
    <textarea
      {...common}
      className={`${look} py-2`}
      rows={Math.min(8, Math.max(3, entries.length + 1))}
      value={shown}
      placeholder={placeholder ?? 'One in a line'}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(entriesIn(currentTarget.value));
      }}
    />
  );
}

function entriesIn(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string')
    : [];
}
