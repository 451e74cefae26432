import { RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { Panel } from '../../ui/panel.js';
import { useProject } from '../project/use-project.js';
import { KeyDialog } from './key-dialog.js';
import { renewDatabasePassword } from './queries.js';

/** The password with which the owner of the database connects, and how to replace it. */
export function DatabasePanel(): ReactNode {
  const [isRenewing, setRenewing] = useState(false);
  return (
    <Panel
      title="Password of the database"
      side={
        <Button
          onClick={() => setRenewing(true)}
          aria-label="New password, of the owner of the database"
        >
          <RotateCw aria-hidden className="size-4" />
          New password
        </Button>
      }
    >
      <p className="text-[14px] text-soft">
        psql, migrations and other tools connect with it as the owner of the database, who passes
        every policy. “Connect” on the home of the project shows the connection string.
      </p>
      {isRenewing && <DatabasePasswordDialog onClose={() => setRenewing(false)} />}
    </Panel>
  );
}

function DatabasePasswordDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { ref } = useProject();
  return (
    <KeyDialog
      label="New connection string of the owner"
      notice="Copy it now, and give it to the tools that connect: the old password is refused."
      title="New password of the database"
      action="Replace the password"
      make={() => renewDatabasePassword(ref)}
      onClose={onClose}
    >
      <ul className="list-disc space-y-1 pl-5 text-[14px]" aria-label="What happens">
        <li>The old password is refused at once. Nothing brings it back.</li>
        <li>
          Open connections of the owner end, and so do statements that run in the SQL editor. What
          is not committed is lost.
        </li>
        <li>Apps are not affected: they send keys, and no password of the database.</li>
      </ul>
    </KeyDialog>
  );
}
