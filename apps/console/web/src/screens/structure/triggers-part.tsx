import { Power, PowerOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import type { SchemaTable } from '../project/schema.js';
import type { Change } from './change.js';
import { ReviewDialog } from './change-dialog.js';
import { ObjectList } from './object-list.js';
import { DropButton, NewButton } from './row-buttons.js';
import { dropTrigger, switchTrigger } from './sql/trigger-sql.js';
import { TriggerDrawer } from './trigger-drawer.js';
import { useMayChange, useTableDetails } from './use-structure.js';

/** The triggers of a table: functions that run when its rows are written. */
export function TriggersPart({ table }: { readonly table: SchemaTable }): ReactNode {
  const { data, error, refetch } = useTableDetails(table.name);
  const mayChange = useMayChange();
  const [isMaking, setMaking] = useState(false);
  const [changing, setChanging] = useState<Change>();
  return (
    <>
      <ObjectList
        title="Triggers"
        empty="No trigger yet. A trigger calls a function that returns trigger when rows are written."
        side={mayChange && <NewButton what="trigger" onClick={() => setMaking(true)} />}
        objects={data?.triggers.map(({ name, definition, isEnabled }) => ({
          name,
          marks: isEnabled ? [] : ['off'],
          code: definition,
          actions: mayChange && (
            <>
              <Button
                look="quiet"
                size="icon"
                aria-label={`Switch ${name} ${isEnabled ? 'off' : 'on'}`}
                title={isEnabled ? 'Switch off' : 'Switch on'}
                onClick={() => setChanging(switchTrigger(table, name, !isEnabled))}
              >
                {isEnabled ? (
                  <PowerOff aria-hidden className="size-4" />
                ) : (
                  <Power aria-hidden className="size-4" />
                )}
              </Button>
              <DropButton name={name} onClick={() => setChanging(dropTrigger(table, name))} />
            </>
          ),
        }))}
        error={error}
        onRetry={() => void refetch()}
      />
      {isMaking && <TriggerDrawer table={table} onClose={() => setMaking(false)} />}
      {changing && <ReviewDialog change={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}
