import { type ReactNode, useState } from 'react';

import { nameList, qualified } from '../../sql/quote.js';
import type { SchemaForeignKey, SchemaTable } from '../project/schema.js';
import type { Change } from './change.js';
import { ReviewDialog } from './change-dialog.js';
import { ForeignKeyDrawer } from './foreign-key-drawer.js';
import { ObjectList } from './object-list.js';
import { DropButton, NewButton } from './row-buttons.js';
import { dropConstraint } from './sql/keys-sql.js';
import { useMayChange } from './use-structure.js';

/** The foreign keys of a table: which rows of other tables its rows refer to. */
export function ForeignKeysPart({ table }: { readonly table: SchemaTable }): ReactNode {
  const mayChange = useMayChange();
  const [isMaking, setMaking] = useState(false);
  const [dropping, setDropping] = useState<Change>();
  return (
    <>
      <ObjectList
        title="Foreign keys"
        empty="No foreign key yet. With one, a row refers to a row that exists, and apps can read both in one request."
        side={mayChange && <NewButton what="foreign key" onClick={() => setMaking(true)} />}
        objects={table.foreignKeys.map((key) => ({
          name: key.name,
          code: definitionOf(key),
          actions: mayChange && (
            <DropButton
              name={key.name}
              onClick={() => setDropping(dropConstraint(table, key.name, 'foreign key'))}
            />
          ),
        }))}
        error={null}
        onRetry={() => undefined}
      />
      {isMaking && <ForeignKeyDrawer table={table} onClose={() => setMaking(false)} />}
      {dropping && <ReviewDialog change={dropping} onClose={() => setDropping(undefined)} />}
    </>
  );
}

function definitionOf(key: SchemaForeignKey): string {
  const place = qualified({ schema: key.schema, name: key.table });
  return [
    `(${nameList(key.columns)}) REFERENCES ${place} (${nameList(key.foreignColumns)})`,
    ...(key.onUpdate === 'no action' ? [] : [`ON UPDATE ${key.onUpdate.toUpperCase()}`]),
    ...(key.onDelete === 'no action' ? [] : [`ON DELETE ${key.onDelete.toUpperCase()}`]),
  ].join(' ');
}
