import { lazy, type ReactNode, Suspense, useState } from 'react';

import { Field } from '../../ui/field.js';
import type { SchemaFunction } from '../project/schema.js';
import type { Change } from './change.js';
import { ReviewDialog } from './change-dialog.js';
import { ObjectList } from './object-list.js';
import { ChangeButton, DropButton, NewButton } from './row-buttons.js';
import { dropFunction } from './sql/function-sql.js';
import { useMayChange, useSchema } from './use-structure.js';

// The editor of code is large; it is loaded when a function is opened.
const FunctionDrawer = lazy(() => import('./function-drawer.js'));

/** The functions of the schema public. */
export function FunctionsPage(): ReactNode {
  const { data, error, refetch } = useSchema();
  const mayChange = useMayChange();
  const [filter, setFilter] = useState('');
  const [opened, setOpened] = useState<SchemaFunction | 'new'>();
  const [dropping, setDropping] = useState<Change>();
  const wanted = filter.trim().toLowerCase();
  const shown = data?.functions.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      {(data?.functions.length ?? 0) > 8 && (
        <div className="max-w-sm pb-3">
          <Field
            label="Find a function"
            type="search"
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
        </div>
      )}
      <ObjectList
        title="Functions"
        empty={
          wanted === ''
            ? 'No function yet. Apps call a function of the schema public at /rest/v1/rpc.'
            : 'No function has this in its name.'
        }
        side={mayChange && <NewButton what="function" onClick={() => setOpened('new')} />}
        objects={shown?.map((each) => ({
          id: each.id,
          name: each.name,
          marks: marksOf(each),
          code: `(${each.arguments})${each.returns === null ? '' : ` → ${each.returns}`}`,
          note: each.comment ?? undefined,
          actions: (
            <>
              <ChangeButton
                name={each.name}
                isReading={!mayChange}
                onClick={() => setOpened(each)}
              />
              {mayChange && (
                <DropButton name={each.name} onClick={() => setDropping(dropFunction(each))} />
              )}
            </>
          ),
        }))}
        error={error}
        onRetry={() => void refetch()}
      />
      {opened !== undefined && (
        <Suspense>
          <FunctionDrawer
            of={opened === 'new' ? undefined : opened}
            onClose={() => setOpened(undefined)}
          />
        </Suspense>
      )}
      {dropping && <ReviewDialog change={dropping} onClose={() => setDropping(undefined)} />}
    </>
  );
}

function marksOf({ kind, language, volatility, isSecurityDefiner }: SchemaFunction) {
  return [
    ...(kind === 'function' ? [] : [kind]),
    language,
    volatility,
    ...(isSecurityDefiner ? ['security definer'] : []),
  ];
}
