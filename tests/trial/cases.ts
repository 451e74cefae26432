// The cases in the order in which they run: those that measure times come first, on a deployment that is whole.
import type { TrialCase } from './case.js';
import { sweepOfBadProject } from './cases/bad-sweep.js';
import { coldAtOnce, coldInTurn } from './cases/cold.js';
import { createAndDelete } from './cases/create-and-delete.js';
import { databaseAway } from './cases/database-away.js';
import { fullDisk } from './cases/full-disk.js';
import { greedyOwners } from './cases/greedy-owners.js';
import { idleSweep } from './cases/idle-sweep.js';
import { invitedOperators, mailsAfterKill, mailsDeferred } from './cases/mails.js';
import { noisyNeighbor } from './cases/noisy-neighbor.js';
import { pauseAndUndo } from './cases/pause-and-undo.js';
import { recovery } from './cases/recovery.js';
import { resumableKill } from './cases/resumable-kill.js';
import { sigterm } from './cases/sigterm.js';
import { slowReaders } from './cases/slow-readers.js';
import { transitions } from './cases/transitions.js';
import { unsentBodies } from './cases/unsent-bodies.js';
import { upgrade } from './cases/upgrade.js';

export const CASES: readonly TrialCase[] = [
  createAndDelete,
  coldAtOnce,
  coldInTurn,
  idleSweep,
  recovery,
  slowReaders,
  unsentBodies,
  noisyNeighbor,
  greedyOwners,
  fullDisk,
  pauseAndUndo,
  upgrade,
  databaseAway,
  sweepOfBadProject,
  mailsAfterKill,
  mailsDeferred,
  invitedOperators,
  resumableKill,
  sigterm,
  transitions,
];
