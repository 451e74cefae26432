import { type ReactNode, useState } from 'react';

import { Choice, Field, Tick } from '../../ui/field.js';
import type { SchemaTable } from '../project/schema.js';
import { ChangeDialog } from './change-dialog.js';
import { createTrigger, type TriggerDraft, triggerEvents } from './sql/trigger-sql.js';
import { useSchema } from './use-structure.js';

const inWords = {
  insert: 'Rows are inserted',
  update: 'Rows are updated',
  delete: 'Rows are deleted',
  truncate: 'The table is emptied (truncate)',
} as const;

/** A new trigger of a table. */
export function TriggerDrawer({
  table,
  onClose,
}: {
  readonly table: SchemaTable;
  readonly onClose: () => void;
}): ReactNode {
  const { data } = useSchema();
  const functions = (data?.functions ?? []).filter(({ returns }) => returns === 'trigger');
  const [draft, setDraft] = useState<TriggerDraft>({
    name: '',
    timing: 'before',
    events: ['update'],
    level: 'row',
    when: '',
    function: { schema: 'public', name: '' },
  });
  const change = (fields: Partial<TriggerDraft>): void => setDraft({ ...draft, ...fields });
  return (
    <ChangeDialog
      title={`New trigger on ${table.name}`}
      problem={problemOf(draft)}
      change={createTrigger(table, draft)}
      onClose={onClose}
    >
      <Field
        label="Name"
        value={draft.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
        spellCheck={false}
        autoComplete="off"
        autoFocus
      />
      <Choice
        label="Function"
        hint={
          functions.length === 0
            ? 'There is no function that returns trigger yet. Make one under Functions.'
            : 'Functions that return trigger'
        }
        value={draft.function.name}
        onChange={(event) =>
          change({ function: { schema: 'public', name: event.currentTarget.value } })
        }
      >
        <option value="" disabled>
          Choose a function
        </option>
        {functions.map(({ id, name }) => (
          <option key={id}>{name}</option>
        ))}
      </Choice>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-[13px] font-semibold">When</legend>
        {triggerEvents.map((event) => (
          <Tick
            key={event}
            label={inWords[event]}
            checked={draft.events.includes(event)}
            onChange={({ currentTarget: { checked } }) =>
              change({
                events: checked
                  ? [...draft.events, event]
                  : draft.events.filter((each) => each !== event),
              })
            }
          />
        ))}
      </fieldset>
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice
          label="Time"
          value={draft.timing}
          onChange={({ currentTarget: { value } }) =>
            change({ timing: value === 'after' ? 'after' : 'before' })
          }
        >
          <option value="before">Before the write</option>
          <option value="after">After the write</option>
        </Choice>
        <Choice
          label="For each"
          value={draft.level}
          onChange={({ currentTarget: { value } }) =>
            change({ level: value === 'statement' ? 'statement' : 'row' })
          }
        >
          <option value="row">Row</option>
          <option value="statement">Statement</option>
        </Choice>
      </div>
      <Field
        label="Condition"
        hint="For rows alone: an expression with new and old, for example old.title is distinct from new.title"
        value={draft.when}
        onChange={(event) => change({ when: event.currentTarget.value })}
        spellCheck={false}
        className="font-mono text-[13px]"
      />
    </ChangeDialog>
  );
}

function problemOf({ name, events, level, function: called }: TriggerDraft): string | undefined {
  if (name.trim() === '') return 'Give the trigger a name.';
  if (called.name === '') return 'Choose a function.';
  if (events.length === 0) return 'Choose when it runs.';
  if (level === 'row' && events.includes('truncate'))
    return 'A trigger for each row does not run when the table is emptied: choose "Statement", or leave that event out.';
  return undefined;
}
