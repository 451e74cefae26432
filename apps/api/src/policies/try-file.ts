// Access to a file, by the code of the storage routes: it asks the policies of storage.files. No bytes are touched.
import {
  findFile,
  getDeletable,
  getFile,
  parseLocator,
  requireRights,
  takenError,
} from '../storage/index.js';
import type { PolicyFacts } from './evaluate-rows.js';
import { isRefusal, outcomeOf, type Ran } from './run-request.js';
import { factsOf, type Parties, refusedAmong } from './tried-parties.js';
import type { FileAction, TriedFile } from './try-request.js';
import type { Found, RefusedRow, RowCommand } from './try-result.js';

/** How long the reservation of an upload would last; none is made. */
const expiresInSeconds = 60;

const commandOf: Readonly<Record<FileAction, RowCommand>> = {
  read: 'select',
  write: 'insert',
  delete: 'delete',
};

export async function tryFile(parties: Parties, request: TriedFile): Promise<Found> {
  const ran = await runAccess(parties, request);
  const outcome = outcomeOf(ran);
  const facts = await factsOf(parties, 'files', 'storage');
  const commands = commandsOf(request);
  const refused =
    facts && outcome.kind === 'refused' ? await refusedOf(parties, facts, request) : [];
  const isNew = request.access === 'write';
  return {
    outcome,
    count: outcome.kind === 'answered' ? 1 : null,
    keys: null,
    table: facts?.table ?? null,
    policies:
      facts?.policies.filter(({ command }) => command === 'all' || commands.has(command)) ?? [],
    hidden:
      isNew || !facts?.table.isSecured
        ? null
        : { count: refused.length, isBounded: false, rows: refused },
    refusedRows: isNew ? refused : [],
  };
}

function commandsOf({ access }: TriedFile): ReadonlySet<string> {
  return new Set(
    access === 'write' ? ['insert', 'update', 'select'] : [commandOf[access], 'select'],
  );
}

async function runAccess(parties: Parties, request: TriedFile): Promise<Ran> {
  try {
    await access(parties, request);
    return { kind: 'answered', status: request.access === 'write' ? 201 : 200, text: undefined };
  } catch (error) {
    if (isRefusal(error)) return { kind: 'refused', error };
    throw error;
  }
}

async function access({ asCaller }: Parties, request: TriedFile): Promise<void> {
  const { project, credential } = asCaller;
  const { bucket, key, mediaType, size } = request;
  const locator = parseLocator(bucket, key);
  const party = { kind: 'caller', credential } as const;
  switch (request.access) {
    case 'read':
      await getFile(project, party, locator);
      return;
    case 'delete':
      await getDeletable(project, party, locator);
      return;
    case 'write': {
      const { found } = await requireRights(project, party, {
        bucket,
        key,
        mediaType,
        size,
        visibility: undefined,
        upsert: true,
        kind: 'stream',
        expiresInSeconds,
      });
      if (!found && (await findFile(project, { kind: 'platform' }, locator))) {
        const taken = { bucket, key, upsert: true, outcome: 'key_taken' } as const;
        throw await takenError(project, party, taken);
      }
    }
  }
}

const ROW_SQL = `select pg_catalog.to_jsonb(f)::pg_catalog.text from storage.files f
  where f.bucket operator(pg_catalog.=) $1::pg_catalog.text
    and f.key operator(pg_catalog.=) $2::pg_catalog.text`;
/** As `storage.may_insert` makes it. */
const NEW_ROW_SQL = `select pg_catalog.jsonb_build_object(
    'bucket', b.slug, 'key', $2::pg_catalog.text, 'size', $3::pg_catalog.int8,
    'media_type', $4::pg_catalog.text,
    'visibility', case when b.public then 'public' else 'private' end,
    'owner_id', auth.uid(), 'user_metadata', '{}'::pg_catalog.jsonb
  )::pg_catalog.text
  from storage.buckets b where b.slug operator(pg_catalog.=) $1::pg_catalog.text`;

/** The stored file, or the new one, as far as policies refuse it. */
async function refusedOf(
  parties: Parties,
  facts: PolicyFacts,
  { access: action, bucket, key, size, mediaType }: TriedFile,
): Promise<readonly RefusedRow[]> {
  const { trial, caller, service } = parties;
  const stored = await trial.query(service, { text: ROW_SQL, values: [bucket, key] });
  const storedRows = stored.map(([text]) => text ?? '{}');
  if (action === 'write' && storedRows.length === 0) {
    const values = [bucket, key, String(size), mediaType];
    const made = await trial.query(caller, { text: NEW_ROW_SQL, values });
    const rows = made.map(([text]) => text ?? '{}');
    const question = { commands: ['insert'], clause: 'check' } as const;
    return refusedAmong(parties, facts, { rows, question });
  }
  const commands: readonly RowCommand[] =
    action === 'read' ? ['select'] : ['select', action === 'write' ? 'update' : 'delete'];
  return refusedAmong(parties, facts, {
    rows: storedRows,
    question: { commands, clause: 'using' },
  });
}
