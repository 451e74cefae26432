// The move of all files of a project to the driver of new files. The background work of the process that serves the
// project runs it; this file starts and stops it and reads its progress.
import { fail } from '#libs/errors';
import {
  appendAudit,
  type AuditActor,
  findRelocation,
  type ProjectRuntime,
  type RelocationState,
  startRelocation,
  stopRelocation,
} from '#libs/project-runtime';
import type { DriverKind } from '#libs/wire';

import { isoTime } from '../core/stored-file.js';
import type { StartRelocationBody } from './relocation.dto.js';

/** The move, or `idle` when there has been none: then `to` is where it would go. */
export interface RelocationView extends Omit<RelocationState, 'state' | 'startedAt'> {
  /** Where new files are kept, and where the next move goes; `to` of an earlier move may be another one. */
  readonly currentDriver: DriverKind;
  readonly state: 'idle' | RelocationState['state'];
  readonly startedAt: string | null;
}

/** How far the last move is. */
export async function readRelocation(project: ProjectRuntime): Promise<RelocationView> {
  const to = await readCurrentDriver(project);
  const found = await project.db.runAsEngine(findRelocation);
  return found ? viewOf(found, to) : idle(to);
}

/**
 * Starts the move, or goes on with it. Changes nothing while it is running. Throws INVALID_INPUT for another
 * driver than that of new files and while no store is set up, RELOCATION_RUNNING while files are being moved
 * away from there.
 */
export async function startMove(
  project: ProjectRuntime,
  actor: AuditActor,
  { to: wanted }: StartRelocationBody,
): Promise<RelocationView> {
  const to = await readCurrentDriver(project);
  const from = otherDriver(to);
  if (wanted !== undefined && wanted !== to) {
    const reason = `must be where new files are kept, which is ${to}; change the settings first`;
    throw fail('INVALID_INPUT', { field: 'to', reason });
  }
  await checkDrivers(project);
  const view = await project.db.runAsEngine(async (tx) => {
    const before = await findRelocation(tx);
    if (before?.state === 'running') {
      if (before.to !== to) throw fail('RELOCATION_RUNNING', { driver: before.to });
      return viewOf(before, to);
    }
    await startRelocation(tx, { from, to });
    const after = await findRelocation(tx);
    await appendAudit(tx, { actor, action: 'relocation.start', target: to, before, after });
    return after ? viewOf(after, to) : idle(to);
  });
  project.files.work.schedule();
  return view;
}

/** Stops the move; files already moved stay where they are. */
export async function stopMove(
  project: ProjectRuntime,
  actor: AuditActor,
): Promise<RelocationView> {
  const to = await readCurrentDriver(project);
  return project.db.runAsEngine(async (tx) => {
    const before = await findRelocation(tx);
    if (!before) return idle(to);
    if (!(await stopRelocation(tx))) return viewOf(before, to);
    const after = (await findRelocation(tx)) ?? before;
    await appendAudit(tx, { actor, action: 'relocation.stop', target: after.to, before, after });
    return viewOf(after, to);
  });
}

async function readCurrentDriver(project: ProjectRuntime): Promise<DriverKind> {
  using lease = await project.files.acquire();
  return lease.value.kind;
}

/** Throws INVALID_INPUT unless there is a store beside the folder. */
async function checkDrivers(project: ProjectRuntime): Promise<void> {
  using lease = await project.files.acquire();
  try {
    lease.value.driverOf('s3');
  } catch (cause) {
    const reason = 'there is no store to move files to or from; name one in the settings first';
    throw fail('INVALID_INPUT', { field: 'to', reason }, { cause });
  }
}

const otherDriver = (driver: DriverKind): DriverKind => (driver === 'local' ? 's3' : 'local');

function idle(to: DriverKind): RelocationView {
  return {
    state: 'idle',
    from: otherDriver(to),
    to,
    currentDriver: to,
    movedFiles: 0,
    totalFiles: 0,
    movedBytes: 0,
    totalBytes: 0,
    failedFiles: 0,
    failures: {},
    lastError: null,
    startedAt: null,
    endedAt: null,
  };
}

function viewOf(state: RelocationState, currentDriver: DriverKind): RelocationView {
  const { startedAt, endedAt } = state;
  return {
    ...state,
    currentDriver,
    startedAt: isoTime(startedAt),
    endedAt: endedAt === null ? null : isoTime(endedAt),
  };
}
