import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { Button } from '../../ui/button.js';
import { useProject } from '../project/use-project.js';

const TableDrawer = lazy(async () => {
  const { TableDrawer: drawer } = await import('./table-drawer.js');
  return { default: drawer };
});

/**
 * Opens the drawer of a new table where it is pressed, and then the rows of the table. For those who may change the
 * structure.
 */
export function NewTableButton(): ReactNode {
  const { ref } = useProject();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden className="size-4" />
        New table
      </Button>
      <Suspense>
        {isOpen && (
          <TableDrawer
            onClose={() => setOpen(false)}
            onDone={(table) =>
              void navigate({ to: '/projects/$ref/tables', params: { ref }, search: { table } })
            }
          />
        )}
      </Suspense>
    </>
  );
}
