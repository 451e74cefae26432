import type { ReactNode } from 'react';

import { Check, type CheckKind } from '../../ui/check.js';
import { Panel } from '../../ui/panel.js';
import { Time } from '../../ui/time.js';
import type { Deployment, Part } from './queries.js';

const titles: Readonly<Record<Part['name'], string>> = {
  console: 'Console',
  api: 'API of the projects',
  worker: 'Worker',
  database: 'Database server',
};

const kinds: Readonly<Record<Part['state'], CheckKind>> = {
  good: 'good',
  problem: 'problem',
  unknown: 'open',
};

/** Whether each part works, and what the deployment lacks. */
export function PartsPanel({
  of: { parts, canMail, disk, fleet },
}: {
  readonly of: Deployment;
}): ReactNode {
  const { overdue, overdueSince } = fleet.work;
  return (
    <Panel title="Health">
      <ul className="grid gap-2.5">
        {parts.map(({ name, state, detail }) => (
          <Check key={name} kind={kinds[state]} title={titles[name]}>
            {detail}
            {name === 'worker' && state === 'problem' && overdueSince !== null && (
              <>
                : {overdue} since <Time at={overdueSince} />
              </>
            )}
          </Check>
        ))}
        <Check
          kind={disk.freeBytes > disk.reserveBytes ? 'good' : 'problem'}
          title="Room for files"
        >
          {disk.freeBytes > disk.reserveBytes
            ? 'The disk of the data folder has room'
            : 'The disk has reached its reserve (DISK_RESERVE_MB): uploads get 507'}
        </Check>
        <Check kind={canMail ? 'good' : 'open'} title="Mails of invitations">
          {canMail
            ? 'They are sent by the mail server of the deployment'
            : 'Without SMTP_HOST, administrators hand the links over'}
        </Check>
      </ul>
    </Panel>
  );
}
