import { Eye, Pencil, Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';

interface RowButtonProps {
  readonly name: string;
  readonly onClick: () => void;
}

export function DropButton({ name, onClick }: RowButtonProps): ReactNode {
  return (
    <Button look="quiet" size="icon" aria-label={`Drop ${name}`} title="Drop" onClick={onClick}>
      <Trash2 aria-hidden className="size-4" />
    </Button>
  );
}

interface ChangeButtonProps extends RowButtonProps {
  /** It opens what the operator may look at alone. */
  readonly isReading?: boolean;
}

export function ChangeButton({ name, isReading = false, onClick }: ChangeButtonProps): ReactNode {
  const verb = isReading ? 'Show' : 'Change';
  const Icon = isReading ? Eye : Pencil;
  return (
    <Button look="quiet" size="icon" aria-label={`${verb} ${name}`} title={verb} onClick={onClick}>
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}

/** The button of a list that makes another object: `New index`. */
export function NewButton({
  what,
  onClick,
}: {
  readonly what: string;
  readonly onClick: () => void;
}): ReactNode {
  return (
    <Button size="small" onClick={onClick}>
      <Plus aria-hidden className="size-4" />
      New {what}
    </Button>
  );
}
