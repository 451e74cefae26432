import { Plus, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Field } from '../../ui/field.js';
import type { EnumType } from '../project/schema.js';
import { ChangeDialog } from './change-dialog.js';
import {
  changeEnum,
  createEnum,
  type EnumDraft,
  enumProblem,
  type EnumValueDraft,
} from './sql/enum-sql.js';

interface EnumDrawerProps {
  /** The enum to change; undefined for a new one. */
  readonly type: EnumType | undefined;
  readonly onClose: () => void;
}

/** Makes an enum, or changes one: its name, comment and values. */
export function EnumDrawer({ type, onClose }: EnumDrawerProps): ReactNode {
  const [draft, setDraft] = useState<EnumDraft>(() => ({
    name: type?.name ?? '',
    comment: type?.comment ?? '',
    values: type
      ? type.values.map((value) => ({ key: value, before: value, value }))
      : [newValue(), newValue()],
  }));
  const set = (fields: Partial<EnumDraft>): void => setDraft({ ...draft, ...fields });
  return (
    <ChangeDialog
      title={type ? `Change ${type.name}` : 'New enum'}
      about={
        type &&
        'PostgreSQL cannot drop a value of an enum, and values that are there keep their order.'
      }
      problem={enumProblem(draft)}
      change={type ? changeEnum(type, draft) : createEnum('public', draft)}
      onClose={onClose}
    >
      <Field
        label="Name"
        value={draft.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        spellCheck={false}
        autoComplete="off"
        autoFocus
      />
      <Values values={draft.values} onChange={(values) => set({ values })} />
      <Field
        label="Comment"
        value={draft.comment}
        onChange={(event) => set({ comment: event.currentTarget.value })}
      />
    </ChangeDialog>
  );
}

let lastKey = 0;

function newValue(): EnumValueDraft {
  lastKey += 1;
  return { key: `new ${lastKey}`, before: undefined, value: '' };
}

interface ValuesProps {
  readonly values: readonly EnumValueDraft[];
  readonly onChange: (values: readonly EnumValueDraft[]) => void;
}

function Values({ values, onChange }: ValuesProps): ReactNode {
  const insertAt = (place: number): void => onChange(values.toSpliced(place, 0, newValue()));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-[13px] font-semibold">Values, in their order</legend>
      {values.map(({ key, before, value }, index) => (
        <div key={key} className="flex items-end gap-1">
          <div className="min-w-0 grow">
            <Field
              label={`Value ${index + 1}`}
              value={value}
              onChange={(event) => {
                const text = event.currentTarget.value;
                onChange(
                  values.map((each) => (each.key === key ? { ...each, value: text } : each)),
                );
              }}
              spellCheck={false}
              autoComplete="off"
            />
          </div>
          <Button
            look="quiet"
            size="icon"
            aria-label={`Insert a value before value ${index + 1}`}
            title="Insert before"
            onClick={() => insertAt(index)}
          >
            <Plus aria-hidden className="size-4" />
          </Button>
          {before === undefined && (
            <Button
              look="quiet"
              size="icon"
              aria-label={`Remove value ${index + 1}`}
              title="Remove"
              onClick={() => onChange(values.filter((each) => each.key !== key))}
            >
              <X aria-hidden className="size-4" />
            </Button>
          )}
        </div>
      ))}
      <div>
        <Button size="small" onClick={() => insertAt(values.length)}>
          <Plus aria-hidden className="size-4" />
          Add a value
        </Button>
      </div>
    </fieldset>
  );
}
