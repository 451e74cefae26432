// Buckets as tests of their administration ask for them, and files in them that are rows alone.
import type { Call, Reply } from '../support/http.js';
import { asRecord, asSuperuser } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';

export const bucketsPath = '/api/admin/storage/buckets';

/** What the routes of administrators answer with (spec: Envelopes and shared shapes). */
export const enveloped = (data: unknown) => ({ status: 1, message: 'OK', data });

/** The path of a bucket, or of something of it. */
export const bucketPath = (slug: string, rest = '') => `${bucketsPath}/${slug}${rest}`;

/** Makes a bucket with the secret key. */
export async function makeBucket(
  project: ProjectUnderTest,
  slug: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const reply = await project.asService({
    method: 'POST',
    path: bucketsPath,
    body: { slug, ...fields },
  });
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
}

/** Makes a token of a bucket with the secret key. */
export async function makeToken(
  project: ProjectUnderTest,
  slug: string,
  fields: Readonly<Record<string, unknown>>,
): Promise<{ readonly id: string; readonly token: string }> {
  const body = { name: 'n', ...fields };
  const path = bucketPath(slug, '/tokens');
  const reply = await project.asService({ method: 'POST', path, body });
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
  const { id, token } = asRecord(dataOf(reply));
  return { id: String(id), token: String(token) };
}

/** Makes files of 10 bytes each, whose bytes are nowhere. */
export async function addFiles(
  project: ProjectUnderTest,
  bucket: string,
  count: number,
): Promise<void> {
  await rowsIn(
    project,
    `select storage.commit_upload(id, 10) from (
       select id, storage.reserve_upload(id, $1, id || '.txt', gen_random_uuid(), 'local', 'stream', 10,
         'text/plain', 'private', null, false, now() + interval '1 hour') as outcome
       from (select gen_random_uuid() as id from generate_series(1, $2)) ids offset 0
     ) reserved where outcome = 'reserved'`,
    [bucket, count],
  );
}

/** Reserves 10 bytes for an upload that does not end. */
export async function addReservation(project: ProjectUnderTest, bucket: string): Promise<void> {
  await rowsIn(
    project,
    `select storage.reserve_upload(gen_random_uuid(), $1, 'begun.txt', gen_random_uuid(), 'local', 'tus', 10,
       'text/plain', 'private', null, false, now() + interval '1 hour')`,
    [bucket],
  );
}

/** Rows of a statement in the project's database, as the superuser sees them. */
export function rowsIn(
  project: ProjectUnderTest,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  return asSuperuser(text, { database: project.database, values });
}

/** The data of an answer. */
export const dataOf = (reply: Reply): unknown => asRecord(reply.body)['data'];

/** What an answer that refuses says: status, code and message. */
export function refusalOf(reply: Reply): readonly [number, unknown, unknown] {
  const { code, message } = asRecord(reply.body);
  return [reply.status, code, message];
}

/** The same request with these headers besides. */
export const withHeaders = (call: Call, headers: Readonly<Record<string, string>>): Call => ({
  ...call,
  headers: { ...call.headers, ...headers },
});
