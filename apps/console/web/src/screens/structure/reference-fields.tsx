import type { ReactNode } from 'react';

import { Choice } from '../../ui/field.js';
import { ActionChoice } from './foreign-key-drawer.js';
import { type Target, targetName } from './references.js';
import type { Reference } from './sql/table-draft.js';

interface ReferenceFieldsProps {
  readonly reference: Reference | undefined;
  readonly targets: readonly Target[];
  readonly onChange: (reference: Reference | undefined) => void;
}

/** What a new column refers to. */
export function ReferenceFields({ reference, targets, onChange }: ReferenceFieldsProps): ReactNode {
  const target = targets.find(
    ({ schema, table }) => schema === reference?.schema && table === reference.table,
  );
  const choose = (name: string): void => {
    const next = targets.find((each) => targetName(each) === name);
    onChange(
      next && {
        schema: next.schema,
        table: next.table,
        column: next.usual,
        onUpdate: 'no action',
        onDelete: 'no action',
      },
    );
  };
  return (
    <>
      <Choice
        label="Foreign key to"
        value={target ? targetName(target) : ''}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        <option value="">No table</option>
        {targets.map((each) => (
          <option key={targetName(each)}>{targetName(each)}</option>
        ))}
      </Choice>
      {reference && target && (
        <>
          <Choice
            label={`Column of ${targetName(target)}`}
            value={reference.column}
            onChange={(event) => onChange({ ...reference, column: event.currentTarget.value })}
          >
            {target.columns.map((column) => (
              <option key={column}>{column}</option>
            ))}
          </Choice>
          <ActionChoice
            label="When the row that is referred to is deleted"
            value={reference.onDelete}
            onChange={(onDelete) => onChange({ ...reference, onDelete })}
          />
        </>
      )}
    </>
  );
}
