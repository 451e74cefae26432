// Triggers as changes.
import { qualified, quoteName } from '../../../sql/quote.js';
import type { SchemaTable } from '../../project/schema.js';
import { type Change, harmless } from '../change.js';

type Place = Pick<SchemaTable, 'schema' | 'name'>;

export const triggerEvents = ['insert', 'update', 'delete', 'truncate'] as const;
type TriggerEvent = (typeof triggerEvents)[number];

export interface TriggerDraft {
  readonly name: string;
  readonly timing: 'before' | 'after';
  readonly events: readonly TriggerEvent[];
  readonly level: 'row' | 'statement';
  /** A condition on `new` and `old`; empty for none. */
  readonly when: string;
  readonly function: { readonly schema: string; readonly name: string };
}

export function createTrigger(table: Place, draft: TriggerDraft): Change {
  const { timing, level } = draft;
  const name = draft.name.trim();
  const when = draft.when.trim();
  const events = triggerEvents.filter((event) => draft.events.includes(event)).join(' or ');
  return harmless({
    title: `Create the trigger ${name}`,
    done: `The trigger ${name} was created.`,
    statements: [
      [
        `create trigger ${quoteName(name)} ${timing} ${events} on ${qualified(table)}`,
        `  for each ${level}`,
        ...(when === '' ? [] : [`  when (${when})`]),
        `  execute function ${qualified(draft.function)}()`,
      ].join('\n'),
    ],
  });
}

export function switchTrigger(table: Place, name: string, isEnabled: boolean): Change {
  const verb = isEnabled ? 'enable' : 'disable';
  return harmless({
    title: `Switch the trigger ${name} ${isEnabled ? 'on' : 'off'}`,
    done: `The trigger ${name} was switched ${isEnabled ? 'on' : 'off'}.`,
    statements: [`alter table ${qualified(table)} ${verb} trigger ${quoteName(name)}`],
  });
}

export function dropTrigger(table: Place, name: string): Change {
  return {
    title: `Drop the trigger ${name}`,
    done: `The trigger ${name} was dropped.`,
    statements: [`drop trigger ${quoteName(name)} on ${qualified(table)}`],
    losses: ['The trigger. Its function stays, and no rows are lost.'],
    confirm: name,
  };
}
