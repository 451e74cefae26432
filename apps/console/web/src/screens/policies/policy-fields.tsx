import type { sql } from '@codemirror/lang-sql';
import type { ReactNode } from 'react';

import { Choice, Field, Tick } from '../../ui/field.js';
import { Expression, Roles } from './editor-fields.js';
import { hasCheck, hasUsing, type PolicyDraft } from './policy-sql.js';

const commands = {
  all: 'Everything',
  select: 'Reading (select)',
  insert: 'Adding (insert)',
  update: 'Changing (update)',
  delete: 'Deleting (delete)',
} as const;

const commandNames = ['all', 'select', 'insert', 'update', 'delete'] as const;

interface PolicyFieldsProps {
  readonly draft: PolicyDraft;
  /** Of the expressions. */
  readonly language: ReturnType<typeof sql>;
  readonly onChange: (part: Partial<PolicyDraft>) => void;
}

/** The form of a policy. */
export function PolicyFields({ draft, language, onChange }: PolicyFieldsProps): ReactNode {
  return (
    <>
      <Field
        label="Name"
        value={draft.name}
        maxLength={63}
        onChange={({ target }) => onChange({ name: target.value })}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-2">
        <Choice
          label="For"
          value={draft.command}
          onChange={({ target }) =>
            onChange({ command: commandNames.find((one) => one === target.value) ?? 'all' })
          }
        >
          {commandNames.map((command) => (
            <option key={command} value={command}>
              {commands[command]}
            </option>
          ))}
        </Choice>
        <Roles roles={draft.roles} onChange={(roles) => onChange({ roles })} />
      </div>
      {hasUsing(draft.command) && (
        <Expression
          label="Rows that exist (using)"
          value={draft.using}
          language={language}
          onChange={(using) => onChange({ using })}
        />
      )}
      {hasCheck(draft.command) && (
        <Expression
          label={
            hasUsing(draft.command)
              ? 'New rows (with check); empty: as for rows that exist'
              : 'New rows (with check)'
          }
          value={draft.check}
          language={language}
          onChange={(check) => onChange({ check })}
        />
      )}
      <Tick
        label="Restrictive"
        hint="It only takes away: a row must pass it and one of the other policies."
        checked={!draft.isPermissive}
        onChange={({ target }) => onChange({ isPermissive: !target.checked })}
      />
    </>
  );
}
