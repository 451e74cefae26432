import { type ReactNode, useState } from 'react';

import type { EnumType } from '../project/schema.js';
import type { Change } from './change.js';
import { ReviewDialog } from './change-dialog.js';
import { EnumDrawer } from './enum-drawer.js';
import { ObjectList } from './object-list.js';
import { ChangeButton, DropButton, NewButton } from './row-buttons.js';
import { dropEnum, usesOf } from './sql/enum-sql.js';
import { useMayChange, useSchema } from './use-structure.js';

/** The enums of the schema public: types that are a list of values. */
export function EnumsPage(): ReactNode {
  const { data, error, refetch } = useSchema();
  const mayChange = useMayChange();
  const [editing, setEditing] = useState<EnumType | 'new'>();
  const [dropping, setDropping] = useState<Change>();
  const tables = data?.tables ?? [];
  return (
    <>
      <ObjectList
        title="Enums"
        empty="No enum yet. An enum is a type that is a list of values, for example open, paid, sent."
        side={mayChange && <NewButton what="enum" onClick={() => setEditing('new')} />}
        objects={data?.enums.map((type) => ({
          name: type.name,
          code: type.values.join(' | '),
          note: noteOf(type, usesOf(type, tables)),
          actions: mayChange && (
            <>
              <ChangeButton name={type.name} onClick={() => setEditing(type)} />
              <DropButton name={type.name} onClick={() => setDropping(dropEnum(type, tables))} />
            </>
          ),
        }))}
        error={error}
        onRetry={() => void refetch()}
      />
      {editing !== undefined && (
        <EnumDrawer
          type={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
      {dropping && <ReviewDialog change={dropping} onClose={() => setDropping(undefined)} />}
    </>
  );
}

function noteOf({ comment }: EnumType, uses: readonly string[]): string {
  const used = uses.length === 0 ? 'No column has this type.' : `Used by ${uses.join(', ')}.`;
  return comment === null ? used : `${comment} — ${used}`;
}
