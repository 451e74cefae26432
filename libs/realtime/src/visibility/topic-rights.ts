// What the policies of `realtime.messages` allow a caller in a private topic. They are evaluated on a record for each kind of
// frame, so nothing is written. There is no message yet: a policy that reads one is left open. Where the answer depends on
// it, the right is undecided, which gives none. Its columns as null are no substitute: `payload ->> 'kind' is distinct from
// 'secret'` would allow everything.
import { combinePolicies, type PolicyRow } from '#libs/realtime-core';
import { isRecord } from '#libs/wire';

import { allTopicRights, type FrameKind, type Rights, type TopicRights } from '../hub/rights.js';
import type { RealtimeDatabase } from '../ports.js';

type Queries = Pick<RealtimeDatabase, 'runAsRole'>;

const equals = 'operator(pg_catalog.=)';

/**
 * The policies of the table that apply to the current role, as JSON. PostgreSQL keeps the columns that a policy names, of
 * both expressions together; a variable for the row as a whole is only in their trees.
 */
const readPolicies = `select coalesce(pg_catalog.json_agg(pg_catalog.json_build_object(
  'name', p.polname, 'isPermissive', p.polpermissive, 'command', p.polcmd,
  'using', pg_catalog.pg_get_expr(p.polqual, p.polrelid),
  'check', pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid),
  'columns', (
    select pg_catalog.json_agg(a.attname order by a.attnum)
    from pg_catalog.pg_depend d
    join pg_catalog.pg_attribute a on a.attrelid ${equals} d.refobjid
      and a.attnum ${equals} d.refobjsubid
    where d.classid ${equals} 'pg_catalog.pg_policy'::pg_catalog.regclass::pg_catalog.oid
      and d.objid ${equals} p.oid and d.refobjid ${equals} p.polrelid
      and d.refclassid ${equals} 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid
  ),
  'hasWholeRow', pg_catalog.concat(p.polqual, p.polwithcheck)
    operator(pg_catalog.~) pg_catalog.format(':varattno 0 :vartype %s ', t.reltype)
) order by p.oid), '[]')::pg_catalog.text
from pg_catalog.pg_policy p join pg_catalog.pg_class t on t.oid ${equals} p.polrelid
where p.polrelid ${equals} 'realtime.messages'::pg_catalog.regclass::pg_catalog.oid and exists (
  select from pg_catalog.unnest(p.polroles) as member
  where member ${equals} 0::pg_catalog.oid or pg_catalog.pg_has_role(member, 'USAGE')
)`;

/** The caller and the topic, for the policies. */
const enterTopic = `select pg_catalog.set_config('request.jwt.claims', $1, true),
  pg_catalog.set_config('request.jwt.claim.sub', $2, true), pg_catalog.set_config('realtime.topic', $3, true)`;

const extensions: readonly FrameKind[] = ['broadcast', 'presence'];
/** What is known of a message before there is one. */
const knownColumns: ReadonlySet<string> = new Set(['topic', 'extension', 'private']);

/** A policy that reads a message has no condition that could be evaluated. */
interface TopicPolicy extends PolicyRow {
  readonly name: string;
  /** What it reads of a message. */
  readonly reads: readonly string[];
}

/** Throws the errors of the database, and those of the policies. */
export async function readTopicRights(
  db: Queries,
  { role, claims, subject }: Rights,
  topic: string,
): Promise<TopicRights> {
  if (role === 'service_role') return allTopicRights;
  const [list] = await db.runAsRole(role, [{ text: readPolicies, values: [] }]);
  const policies = policiesIn(list?.[0]?.[0]);
  const records = extensions.map((extension) => ({ topic, extension, private: true }));
  const evaluate = `select messages.extension, (${combinePolicies(policies, 'select')})::pg_catalog.text,
    (${combinePolicies(policies, 'insert')})::pg_catalog.text
    from pg_catalog.json_populate_recordset(null::realtime.messages, $1::pg_catalog.json) as messages`;
  const [, answers = []] = await db.runAsRole(role, [
    { text: enterTopic, values: [claims, subject, topic] },
    { text: evaluate, values: [JSON.stringify(records)] },
  ]);
  const answerOf = (kind: FrameKind, place: 1 | 2) =>
    answers.find(([name]) => name === kind)?.[place];
  const allowedIn = (place: 1 | 2) => ({
    broadcast: answerOf('broadcast', place) === 'true',
    presence: answerOf('presence', place) === 'true',
  });
  const openIn = (place: 1 | 2, readers: string) =>
    Object.fromEntries(
      extensions.filter((kind) => answerOf(kind, place) === null).map((kind) => [kind, readers]),
    );
  return {
    mayReceive: allowedIn(1),
    maySend: allowedIn(2),
    undecided: {
      receive: openIn(1, readersIn(policies, 'r')),
      send: openIn(2, readersIn(policies, 'a')),
    },
  };
}

/** The policies for a command that read a message, each with what it reads. */
function readersIn(policies: readonly TopicPolicy[], command: PolicyRow['command']): string {
  const readers = policies.filter(
    (policy) => policy.reads.length > 0 && (policy.command === command || policy.command === '*'),
  );
  return readers.map(({ name, reads }) => `${name} reads ${reads.join(', ')}`).join('; ');
}

function policiesIn(text: string | null | undefined): readonly TopicPolicy[] {
  const list: unknown = JSON.parse(text ?? '[]');
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).map((row) => {
    const columns: readonly unknown[] = Array.isArray(row['columns']) ? row['columns'] : [];
    const reads = columns.map(String).filter((column) => !knownColumns.has(column));
    if (row['hasWholeRow'] === true) reads.push('the whole row');
    return {
      name: String(row['name']),
      reads,
      isPermissive: row['isPermissive'] === true,
      // A value of pg_policy.polcmd.
      command: row['command'] as PolicyRow['command'],
      using: conditionOf(row['using'], reads),
      check: conditionOf(row['check'], reads),
    };
  });
}

/** A policy that reads a message is null; the others are true or false. */
function conditionOf(expression: unknown, reads: readonly string[]): string | undefined {
  if (typeof expression !== 'string') return undefined;
  return reads.length > 0 ? 'null::pg_catalog.bool' : `(${expression}) is true`;
}
