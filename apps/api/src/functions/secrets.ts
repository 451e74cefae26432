// Secrets of functions: their environment. Answers and the audit log have names alone.
import { fail } from '#libs/errors';
import { isReservedVariable } from '#libs/functions';
import { appendAudit, type AuditActor, type ProjectRuntime } from '#libs/project-runtime';
import { isRecord } from '#libs/wire';

import { refused } from './function-names.js';
import {
  countChange,
  deleteSecrets,
  listSecrets,
  type SecretView,
  upsertSecrets,
} from './secrets.sql.js';

const maxSecrets = 200;
const maxValueBytes = 24 * 1024;
/** 200 long values fit, written as JSON. */
export const maxSecretsBytes = 8 * 1024 * 1024;
const namePattern = /^[A-Z_][A-Z0-9_]{0,127}$/i;
const ofPlatform = /^(?:ROWHOUSE_.*|SUPABASE_URL)$/i;

export interface SecretList {
  /** By name. */
  readonly secrets: readonly SecretView[];
}

export function readSecrets(project: ProjectRuntime): Promise<SecretList> {
  return project.db.runAsEngine(async (tx) => ({ secrets: await listSecrets(tx) }));
}

/** Sets secrets; others stay as they are. The next call sees them. Throws INVALID_INPUT and TOO_MANY_FUNCTIONS. */
export async function writeSecrets(
  project: ProjectRuntime,
  actor: AuditActor,
  body: unknown,
): Promise<SecretList> {
  const given = readValues(body);
  const { seal } = project.functions;
  const sealed = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, seal.close(name, value)]),
  );
  return project.db.runAsEngine(async (tx) => {
    await countChange(tx);
    await upsertSecrets(tx, sealed);
    const secrets = await listSecrets(tx);
    if (secrets.length > maxSecrets) {
      throw fail('TOO_MANY_FUNCTIONS', { limit: maxSecrets, kind: 'secrets of functions' });
    }
    const names = Object.keys(given);
    const change = { action: 'functionSecrets.set', target: names.join(' ').slice(0, 200) };
    await appendAudit(tx, { actor, ...change, before: null, after: { names } });
    return { secrets };
  });
}

/** Names that there are not do no harm. */
export function removeSecrets(
  project: ProjectRuntime,
  actor: AuditActor,
  names: readonly string[],
): Promise<SecretList> {
  return project.db.runAsEngine(async (tx) => {
    await countChange(tx);
    const removed = await deleteSecrets(tx, names);
    if (removed.length > 0) {
      const change = { action: 'functionSecrets.delete', target: removed.join(' ').slice(0, 200) };
      await appendAudit(tx, { actor, ...change, before: { names: removed }, after: null });
    }
    return { secrets: await listSecrets(tx) };
  });
}

function readValues(body: unknown): Readonly<Record<string, string>> {
  if (!isRecord(body) || Object.keys(body).length === 0) {
    throw refused('body', 'must be an object with a value for each name');
  }
  const entries = Object.entries(body).map(([name, value]) => {
    if (!namePattern.test(name)) throw refused(name.slice(0, 128), 'is no name of a variable');
    if (isReservedVariable(name) || ofPlatform.test(name)) {
      throw refused(name, 'is a name of the platform; use another one');
    }
    if (typeof value !== 'string') throw refused(name, 'must be a text');
    if (value.includes('\0')) throw refused(name, 'must not contain the character NUL');
    if (Buffer.byteLength(value) > maxValueBytes) {
      throw refused(name, `must have at most ${maxValueBytes} bytes`);
    }
    return [name, value] as const;
  });
  return Object.fromEntries(entries);
}
