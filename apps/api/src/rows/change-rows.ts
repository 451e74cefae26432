// Changes of rows that were read before, in one transaction: all of them are written or none.
import { findExposedTable, type Table } from '#libs/catalog';
import { type JsonBytes, jsonBytesOf, type JsonRow, type Transaction } from '#libs/database';
import { AppError, deletionError, fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import type { Caller, Credential } from '#libs/wire';

import type { ClientGone } from '../http/client-gone.js';
import { type ReadChange, readChanges } from './read-changes.js';
import type { RowChange } from './rows.dto.js';
import {
  deleteRow,
  insertRow,
  lockRow,
  maxRowsBytes,
  type RowTexts,
  updateRow,
} from './rows.sql.js';

/** The most bytes of the rows in conflict. They are part of an error, which is written in one step. */
const maxConflictBytes = 4 * 1024 * 1024;

/** The rows in the order of the changes; null for a deleted row. */
export interface ChangedRows {
  readonly rows: readonly (RowTexts | null)[];
}

/** A row that is not as it was read. */
interface Conflict {
  /** The position of the change, from 0 on. */
  readonly change: number;
  /** Null if the row does not exist any more. */
  readonly now: RowTexts | null;
}

/** Who changes rows, and who waits for them. */
interface RowsRequest {
  readonly caller: Caller;
  readonly actor: AuditActor;
  readonly client: ClientGone;
}

interface ChangesOfTable {
  readonly table: string;
  readonly changes: readonly RowChange[];
}

/**
 * Makes the changes as `service_role`, which no policy holds back. The audit entry is written first, so that no row
 * changes without one. Throws ROWS_CHANGED with all conflicts, RESULT_TOO_LARGE, PGRST205, PGRST204, INVALID_INPUT,
 * PGRST504, REQUEST_ABORTED, and the errors of the database with the position of the change in `details.change`.
 */
export async function changeRows(
  project: ProjectRuntime,
  { caller, actor, client }: RowsRequest,
  { table: name, changes: given }: ChangesOfTable,
): Promise<JsonBytes<ChangedRows>> {
  const credential = serviceCredential(caller);
  const { schemaVersion } = await project.db.resolveCaller(credential);
  const known = await project.catalog.get();
  const isCurrent = known.catalog.schemaVersion === schemaVersion;
  const { catalog } = isCurrent ? known : await project.catalog.reload(schemaVersion);
  const table = findExposedTable(catalog, name);
  const changes = readChanges(table, given);
  const after = countByKind(changes);
  await project.db.runAsEngine((tx) =>
    appendAudit(tx, { actor, action: 'rows.change', target: table.name, before: null, after }),
  );
  const work = (tx: Transaction) => write(tx, table, changes);
  const waiting = { signal: client.signal, owner: client };
  const rows = await project.db.runAs(credential, work, waiting);
  project.rowsWritten();
  return rows;
}

function countByKind(changes: readonly ReadChange[]): Readonly<Record<ReadChange['kind'], number>> {
  const counts = { insert: 0, update: 0, delete: 0 };
  for (const { kind } of changes) counts[kind] += 1;
  return counts;
}

/** Triggers see the operator; a user with the role ADMIN works as the secret key does. */
function serviceCredential(caller: Caller): Credential {
  return caller.via === 'operator'
    ? { kind: 'operator', operator: caller.operator }
    : { kind: 'secret-key' };
}

async function write(
  tx: Transaction,
  table: Table,
  changes: readonly ReadChange[],
): Promise<JsonBytes<ChangedRows>> {
  const rows = new WrittenRows(maxRowsBytes);
  const conflicts = new WrittenRows(maxConflictBytes);
  const conflictAt: number[] = [];
  // One after the other: a row may refer to one before it.
  for (const [index, change] of changes.entries()) {
    try {
      if (change.kind !== 'insert') {
        const now = await lockRow(tx, table, change, conflicts.left);
        if (now?.isAsRead !== true) {
          conflicts.add(now);
          conflictAt.push(index);
        }
      }
      if (conflictAt.length === 0) rows.add(await writeOne(tx, table, change, rows.left));
    } catch (error) {
      throw positioned(error, change, index);
    }
  }
  if (conflictAt.length > 0) {
    throw fail('ROWS_CHANGED', {}, { details: { conflicts: conflictsOf(conflictAt, conflicts) } });
  }
  return rows.json();
}

/** Rows as JSON, which have a limit together. */
class WrittenRows {
  left: number;
  readonly parts: Buffer[] = [];
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.left = maxBytes;
  }

  /** Without a row: null. Throws RESULT_TOO_LARGE. */
  add(row: JsonRow | undefined): void {
    const part = row ? jsonBytesOf(row, this.#maxBytes) : Buffer.from('null');
    this.parts.push(part);
    this.left -= part.length;
  }

  json(): JsonBytes<ChangedRows> {
    const comma = Buffer.from(',');
    const rows = this.parts.flatMap((part, index) => (index === 0 ? [part] : [comma, part]));
    return Buffer.concat([Buffer.from('{"rows":['), ...rows, Buffer.from(']}')]);
  }
}

function conflictsOf(at: readonly number[], { parts }: WrittenRows): readonly Conflict[] {
  return parts.map((part, index) => ({
    change: at[index] ?? 0,
    // The statement has written an object of texts, or there is none.
    now: JSON.parse(part.toString()) as RowTexts | null,
  }));
}

/** Undefined for a deleted row. */
async function writeOne(
  tx: Transaction,
  table: Table,
  change: ReadChange,
  maxBytes: number,
): Promise<JsonRow | undefined> {
  switch (change.kind) {
    case 'insert':
      return written(await insertRow(tx, table, change.values, maxBytes));
    case 'update':
      return written(await updateRow(tx, table, change, maxBytes));
    case 'delete':
      if (!(await deleteRow(tx, table, change.key))) throw notWritten();
      return undefined;
  }
}

function written(row: JsonRow | undefined): JsonRow {
  if (!row) throw notWritten();
  return row;
}

function notWritten(): AppError {
  return fail('CONFLICT', { reason: 'A trigger of the table has kept the row from being written' });
}

/** The error of the database with the position of the change. */
function positioned(error: unknown, { kind }: ReadChange, change: number): unknown {
  if (!(error instanceof AppError)) return error;
  const answered = kind === 'delete' ? deletionError(error) : error;
  const { message, code, status, hint, cause, retryAfterSeconds } = answered;
  return fail(
    'DATABASE_ERROR',
    {},
    {
      message,
      publicCode: code,
      status,
      cause,
      details: { change },
      ...(hint !== undefined && { hint }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    },
  );
}
