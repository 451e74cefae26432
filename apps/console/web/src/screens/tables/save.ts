// Saving staged changes, and taking the last save back. Both are one request, which is one transaction.
import { problemOf } from '../../api/problem.js';
import { sendPlain } from '../../api/client.js';
import { projectPath } from '../../api/place.js';
import { readJson } from './requests.js';
import {
  type Change,
  ordered,
  type RowTexts,
  type SentChange,
  sentChange,
  type Staged,
} from './staging.js';

/** The key that saves, in the grid and in the editor of a cell. */
export function isSaveKey(event: {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}): boolean {
  return event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey);
}

/** The most that one request takes. */
export const maxChanges = 1_000;

/** A row that has changed since it was read, with the change that met it. */
export interface Conflict {
  readonly id: string;
  readonly change: Exclude<Change, { readonly kind: 'insert' }>;
  /** Null if the row does not exist any more. */
  readonly now: RowTexts | null;
}

type Saved =
  | {
      readonly kind: 'saved';
      /** The rows by what their changes were staged under, null for a deleted one. */
      readonly rowById: ReadonlyMap<string, RowTexts | null>;
      readonly changes: readonly Change[];
      readonly rows: readonly (RowTexts | null)[];
    }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly Conflict[] };

/** A change that the database refuses. */
export class RefusedChange extends Error {
  constructor(
    override readonly cause: unknown,
    readonly id: string | undefined,
  ) {
    super('The database refuses a change.');
  }
}

interface Place {
  readonly ref: string;
  readonly table: string;
}

/** Writes all changes or none. Throws Problem, or RefusedChange if one of the changes is the reason. */
export async function saveChanges(place: Place, staged: Staged): Promise<Saved> {
  const entries = ordered(staged);
  const sent = await send(
    place,
    entries.map(([, change]) => sentChange(change)),
  );
  if (sent.kind === 'rows') {
    const { rows } = sent;
    const rowById = new Map(entries.map(([id], index) => [id, rows[index] ?? null]));
    return { kind: 'saved', rowById, changes: entries.map(([, change]) => change), rows };
  }
  if (sent.conflicts.length === 0) {
    const entry = sent.change === undefined ? undefined : entries[sent.change];
    if (entry) throw new RefusedChange(sent.problem, entry[0]);
    throw sent.problem;
  }
  const conflicts = sent.conflicts.flatMap(({ change: position, now }) => {
    const [id, change] = entries[position] ?? [];
    return id === undefined || !change || change.kind === 'insert' ? [] : [{ id, change, now }];
  });
  return { kind: 'conflicts', conflicts };
}

/** Writes changes that take saved ones back. Throws Problem, also for a row that has changed since. */
export async function takeBack(place: Place, changes: readonly SentChange[]): Promise<void> {
  const sent = await send(place, changes);
  if (sent.kind === 'refused') throw sent.problem;
}

type Sent =
  | { readonly kind: 'rows'; readonly rows: readonly (RowTexts | null)[] }
  | {
      readonly kind: 'refused';
      readonly problem: Error;
      readonly conflicts: readonly { readonly change: number; readonly now: RowTexts | null }[];
      readonly change: number | undefined;
    };

async function send({ ref, table }: Place, changes: readonly SentChange[]): Promise<Sent> {
  const path = `${projectPath(ref)}/api/admin/rows/${encodeURIComponent(table)}`;
  const response = await sendPlain(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ changes }),
  });
  const body = await readJson(response);
  if (response.ok) {
    // The route's answer has this shape.
    const { rows } = body as { readonly rows: readonly (RowTexts | null)[] };
    return { kind: 'rows', rows };
  }
  // The errors of the route have these details.
  const { details = {} } = Object(body) as {
    readonly details?: {
      readonly conflicts?: readonly { readonly change: number; readonly now: RowTexts | null }[];
      readonly change?: number;
    };
  };
  return {
    kind: 'refused',
    problem: problemOf(response, body),
    conflicts: details.conflicts ?? [],
    change: details.change,
  };
}
