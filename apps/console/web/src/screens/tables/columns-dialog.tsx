import { Pin } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Tick } from '../../ui/field.js';
import type { SchemaColumn } from '../project/schema.js';

interface ColumnsDialogProps {
  readonly columns: readonly SchemaColumn[];
  readonly hidden: ReadonlySet<string>;
  readonly pinned: ReadonlySet<string>;
  readonly onHide: (hidden: readonly string[]) => void;
  readonly onPin: (pinned: readonly string[]) => void;
  readonly onClose: () => void;
}

/** Which columns are shown, and which stay at the left. */
export function ColumnsDialog(props: ColumnsDialogProps): ReactNode {
  const { columns, hidden, pinned, onHide, onPin, onClose } = props;
  const toggled = (set: ReadonlySet<string>, name: string): readonly string[] =>
    set.has(name) ? [...set].filter((each) => each !== name) : [...set, name];
  return (
    <Dialog title="Columns" about="The address of the page keeps them." onClose={onClose}>
      <DialogBody>
        <ul className="divide-y divide-line rounded-md border border-line">
          {columns.map(({ name, type, comment }) => (
            <li key={name} className="flex items-center gap-3 py-1.5 pr-2 pl-3">
              <div className="min-w-0 grow">
                <Tick
                  label={name}
                  hint={comment === null ? type : `${type} · ${comment}`}
                  checked={!hidden.has(name)}
                  onChange={() => onHide(toggled(hidden, name))}
                />
              </div>
              <Button
                look="quiet"
                size="icon"
                aria-label={`Pin ${name}`}
                aria-pressed={pinned.has(name)}
                className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
                onClick={() => onPin(toggled(pinned, name))}
              >
                <Pin aria-hidden className="size-4" />
              </Button>
            </li>
          ))}
        </ul>
      </DialogBody>
      <DialogButtons>
        <Button
          onClick={() => {
            onHide([]);
          }}
        >
          Show all
        </Button>
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
