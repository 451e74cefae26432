import type { ReactNode } from 'react';

import { bytesInWords } from '../../ui/bytes.js';
import { counted } from '../../ui/counted.js';
import { Panel } from '../../ui/panel.js';
import { Time } from '../../ui/time.js';
import { Bar } from './bar.js';
import { Fact, Facts } from './facts.js';
import type { Deployment } from './queries.js';

/** The release and the process that answers. */
export function ProcessPanel({
  of: { version, process, machine, fleet, jobStore, storage },
}: {
  readonly of: Deployment;
}): ReactNode {
  const stores = { postgres: 'PostgreSQL', redis: 'Redis' } as const;
  const files = { local: 'the disk of each machine', s3: 'S3' } as const;
  return (
    <Panel title="Versions and process">
      <Facts>
        <Fact name="Rowhouse">{version}</Fact>
        <Fact name="Migrations of projects">
          <code className="text-[13px]">{fleet.release}</code>
        </Fact>
        <Fact name="Node.js">{process.node}</Fact>
        <Fact name="System">{process.platform}</Fact>
        <Fact name="Process">
          {process.host}, {process.pid}
        </Fact>
        <Fact name="It runs">{process.roles.join(', ')}</Fact>
        <Fact name="Started">
          <Time at={process.startedAt} />
        </Fact>
        <Fact name="Memory of the process">{bytesInWords(process.memoryBytes)}</Fact>
        <Fact name="Memory of the machine">
          {bytesInWords(machine.freeMemoryBytes)} free of {bytesInWords(machine.memoryBytes)}
        </Fact>
        <Fact name="Load">
          {machine.load.toFixed(2)} on {counted(machine.processors, 'processor')}
        </Fact>
        <Fact name="Jobs and signals">{stores[jobStore]}</Fact>
        <Fact name="Files of projects">{files[storage]}</Fact>
      </Facts>
      <p className="text-[13px] text-soft">
        With several processes, each request may be answered by another one.
      </p>
    </Panel>
  );
}

/** The database server and its connections. */
export function DatabasePanel({
  of: { kind, version, startedAt, connections },
}: {
  readonly of: Deployment['database'];
}): ReactNode {
  const { open, active, limit, reserved } = connections;
  return (
    <Panel title="Database server">
      <Facts>
        <Fact name="PostgreSQL">{version}</Fact>
        <Fact name="Server">{kind === 'embedded' ? 'run by Rowhouse' : 'of DATABASE_URL'}</Fact>
        <Fact name="Started">
          <Time at={startedAt} />
        </Fact>
        <Fact name="Connections">
          {open} open, {active} busy, of {limit}
        </Fact>
        <Fact name="Kept for the platform">{reserved}</Fact>
      </Facts>
      <Bar share={open / Math.max(1, limit - reserved)} />
    </Panel>
  );
}

/** The disk of the data folder. */
export function DiskPanel({ of: { disk } }: { readonly of: Deployment }): ReactNode {
  const { folder, totalBytes, freeBytes, reserveBytes } = disk;
  const used = totalBytes - freeBytes;
  return (
    <Panel title="Disk">
      <Facts>
        <Fact name="Data folder">
          <code className="text-[13px] break-all">{folder}</code>
        </Fact>
        <Fact name="Free">
          {bytesInWords(freeBytes)} of {bytesInWords(totalBytes)}
        </Fact>
        <Fact name="Left free by files">{bytesInWords(reserveBytes)}</Fact>
      </Facts>
      <Bar share={used / Math.max(1, totalBytes - reserveBytes)} />
    </Panel>
  );
}
