import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { Notice } from '../../ui/notice.js';
import { Panel } from '../../ui/panel.js';
import { Fact, Facts } from './facts.js';
import type { Deployment } from './queries.js';
import { upgradeWords } from './upgrade-words.js';

/** All projects: their states, and how far their upgrades are. */
export function ProjectsPanel({ of: fleet }: { readonly of: Deployment['fleet'] }): ReactNode {
  const { projects, upgrade, work } = fleet;
  const { kind, sentence } = upgradeWords(fleet);
  return (
    <Panel title="Projects and upgrades">
      <Facts>
        <Fact name="Active">{projects.active}</Fact>
        <Fact name="Paused">{projects.paused}</Fact>
        {projects.deleted > 0 && <Fact name="Deleted, restorable">{projects.deleted}</Fact>}
        {projects.changing > 0 && <Fact name="Being made or removed">{projects.changing}</Fact>}
        <Fact name="Databases and files">
          {projects.databaseBytes === 0
            ? 'not measured yet'
            : `${bytesInWords(projects.databaseBytes)}, ${bytesInWords(projects.storageBytes)}`}
        </Fact>
        <Fact name="Work in progress">
          <Link
            to="/deployment"
            search={{ tab: 'work' }}
            className="text-accent underline underline-offset-2"
          >
            {work.open === 0 ? 'none' : `${work.open} open, ${work.failed} failed`}
          </Link>
        </Fact>
        {upgrade.snapshots > 0 && <Fact name="Snapshots of upgrades">{upgrade.snapshots}</Fact>}
      </Facts>
      <Notice kind={kind}>{sentence}</Notice>
      {upgrade.failures.length > 0 && (
        <ul aria-label="Failed upgrades" className="divide-y divide-line border-t border-line">
          {upgrade.failures.map(({ ref, reason }) => (
            <li key={ref} className="py-2.5 text-[14px]">
              <Link
                to="/projects/$ref"
                params={{ ref }}
                className="inline-block py-1 font-mono text-[13px] text-accent underline underline-offset-2"
              >
                {ref}
              </Link>
              <p className="text-[13px] break-words text-danger">{reason}</p>
            </li>
          ))}
        </ul>
      )}
      {upgrade.failures.length > 0 && (
        <p className="text-[13px] text-soft">
          {counted(upgrade.failures.length, 'upgrade')} failed. Put the cause right, then run{' '}
          <code>rowhouse upgrade --resume</code> on the server.
        </p>
      )}
    </Panel>
  );
}
