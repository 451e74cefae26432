// Saved queries of the SQL editor. A private query is seen by its author alone; a shared one by everyone who may run
// SQL, and changed by its author alone. Who runs SQL as the owner may also delete shared queries, so that those of
// people who have left do not stay for ever.
import type { Transaction } from '#libs/database';
import { fail } from '#libs/errors';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import type { Caller } from '#libs/wire';

import { mayRunAsOwner } from '../sql/index.js';
import type { ChangedQueryBody, NewQueryBody } from './queries.dto.js';
import {
  countQueries,
  deleteQuery,
  findQuery,
  insertQuery,
  listQueries,
  type QueryAuthor,
  type QueryEntry,
  type QueryFields,
  type SavedQuery,
  updateQuery,
} from './queries.sql.js';

/** Private and shared queries of one author. */
const maxOfAuthor = 200;
const maxOfProject = 2_000;

export interface QueryList {
  readonly queries: readonly QueryEntry[];
}

/** The caller's own queries and the shared ones, by name, without their texts. */
export async function readQueries(project: ProjectRuntime, actor: AuditActor): Promise<QueryList> {
  const queries = await project.db.runAsEngine((tx) => listQueries(tx, authorIn(actor)));
  return { queries };
}

/** Throws SAVED_QUERY_NOT_FOUND, also for a private query of another author. */
export function readQuery(
  project: ProjectRuntime,
  actor: AuditActor,
  id: string,
): Promise<SavedQuery> {
  return project.db.runAsEngine((tx) => getQuery(tx, actor, id));
}

/** Throws TOO_MANY_SAVED_QUERIES. */
export function saveQuery(
  project: ProjectRuntime,
  actor: AuditActor,
  { name, sql, isShared = false }: NewQueryBody,
): Promise<SavedQuery> {
  const author = authorIn(actor);
  return project.db.runAsEngine(async (tx) => {
    const { own, all } = await countQueries(tx, author);
    if (own >= maxOfAuthor) {
      throw fail('TOO_MANY_SAVED_QUERIES', { owner: 'An author', limit: maxOfAuthor });
    }
    if (all >= maxOfProject) {
      throw fail('TOO_MANY_SAVED_QUERIES', { owner: 'A project', limit: maxOfProject });
    }
    const made = await insertQuery(tx, { ...author, email: actor.email }, { name, sql, isShared });
    await note(tx, actor, { action: 'query.create', id: made.id, after: made });
    return made;
  });
}

/** Throws SAVED_QUERY_NOT_FOUND, and SAVED_QUERY_OF_ANOTHER for a shared query of another author. */
export function changeQuery(
  project: ProjectRuntime,
  { actor, id }: { readonly actor: AuditActor; readonly id: string },
  changes: ChangedQueryBody,
): Promise<SavedQuery> {
  return project.db.runAsEngine(async (tx) => {
    const before = await getQuery(tx, actor, id);
    if (!before.isOwn) throw fail('SAVED_QUERY_OF_ANOTHER');
    const { name = before.name, sql = before.sql, isShared = before.isShared } = changes;
    const after = await updateQuery(tx, authorIn(actor), { id, name, sql, isShared });
    if (!after) throw fail('SAVED_QUERY_NOT_FOUND');
    await note(tx, actor, { action: 'query.update', id, before, after });
    return after;
  });
}

/** Throws SAVED_QUERY_NOT_FOUND and SAVED_QUERY_OF_ANOTHER. */
export function removeQuery(
  project: ProjectRuntime,
  { caller, actor }: { readonly caller: Caller; readonly actor: AuditActor },
  id: string,
): Promise<void> {
  return project.db.runAsEngine(async (tx) => {
    const before = await getQuery(tx, actor, id);
    if (!before.isOwn && !mayRunAsOwner(caller)) throw fail('SAVED_QUERY_OF_ANOTHER');
    await deleteQuery(tx, id);
    await note(tx, actor, { action: 'query.delete', id, before });
  });
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function getQuery(tx: Transaction, actor: AuditActor, id: string): Promise<SavedQuery> {
  const found = uuid.test(id) ? await findQuery(tx, authorIn(actor), id) : undefined;
  if (!found) throw fail('SAVED_QUERY_NOT_FOUND');
  return found;
}

const authorIn = ({ kind, id }: AuditActor): QueryAuthor => ({ kind, id: id ?? '' });

interface Change {
  readonly action: string;
  readonly id: string;
  readonly before?: QueryFields;
  readonly after?: QueryFields;
}

function note(tx: Transaction, actor: AuditActor, { action, id, before, after }: Change) {
  return appendAudit(tx, {
    actor,
    action,
    target: id,
    before: audited(before),
    after: audited(after),
  });
}

/** The text stays out: it may hold secrets, and each run of it is in the log. */
function audited(query: QueryFields | undefined): unknown {
  if (!query) return null;
  const { name, isShared, sql } = query;
  return { name, isShared, length: sql.length };
}
