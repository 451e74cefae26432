// Two projects of one deployment, seeded alike: the suites try what belongs to A on B.
import pg from 'pg';

import { deriveKey, signAssertion } from '#libs/secrets';
import { CAPABILITIES } from '#libs/wire';

import { asRecord, asSuperuser, Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest, SignedIn } from '../support/project.js';

/** A project with a user, an administrator and rows of theirs. */
export interface SeededProject {
  readonly project: ProjectUnderTest;
  readonly user: SignedIn;
  readonly admin: SignedIn;
  /** Of a private file of the user: photo.txt in the bucket docs. */
  readonly fileId: string;
  /** Of a trigger and of a schedule of edge functions. */
  readonly calls: readonly string[];
  /** A token that invokes all of its edge functions. */
  readonly edgeToken: string;
  /** Words that stand in what only the project's own people may read. */
  readonly secrets: readonly string[];
}

export interface Neighbors {
  readonly deployment: Deployment;
  readonly a: SeededProject;
  readonly b: SeededProject;
  readonly close: () => Promise<void>;
}

export async function openNeighbors(): Promise<Neighbors> {
  const deployment = await Deployment.shared();
  const [a, b] = await Promise.all([seedProject(deployment, 'a'), seedProject(deployment, 'b')]);
  return { deployment, a, b, close: () => deployment.close() };
}

async function seedProject(deployment: Deployment, name: string): Promise<SeededProject> {
  const project = await deployment.createProject();
  // The suites send far more attempts from one address than people do.
  const limits = { max: 1_000_000, credentialMax: 1_000_000 };
  await saveSettings(project, 'security.rateLimit', limits);
  const perAddress = { perAddress: 1_000_000 };
  const kinds = { signIn: perAddress, verifyCode: perAddress, passwordReset: perAddress };
  await saveSettings(project, 'auth.rateLimits', kinds);
  await project.sql(`
    create table notes (id int primary key, owner text not null default auth.uid(), text text);
    create policy own on notes to authenticated using (owner = (select auth.uid()));
    create table posts (id int primary key, text text);
    create policy everybody on posts for select using (true);
    insert into posts values (1, 'post of ${name}');
    create function my_notes() returns setof notes stable language sql as 'select * from notes';`);
  const user = await project.signUp(`user-${name}@example.org`);
  const admin = await project.signUp(`admin-${name}@example.org`);
  await asSuperuser(`update auth."user" set role = 'ADMIN' where id = $1`, {
    database: project.database,
    values: [admin.id],
  });
  await project.sql(
    `insert into notes values (1, '${user.id}', 'note of ${name}'), (2, '${admin.id}', 'memo of ${name}')`,
  );
  await asSuperuser(
    `insert into platform.inbox (kind, recipient, subject, text, html)
     values ('test', $1, 'subject', $2, '')`,
    { database: project.database, values: [user.email, `mail of ${name}`] },
  );
  await asSuperuser(
    `insert into platform.messages (id, channel, kind, recipient, status, last_error)
     values (gen_random_uuid(), 'email', 'test', $1, 'failed', $2)`,
    { database: project.database, values: [user.email, `mail of ${name}`] },
  );
  const fileId = await storeFile(project, user, `file of ${name}`);
  const calls = await storeCalls(project, name);
  const edgeToken = await makeEdgeToken(project);
  const secrets = [
    `file of ${name}`,
    `mail of ${name}`,
    `note of ${name}`,
    `memo of ${name}`,
    `call of ${name}`,
    user.email,
    admin.email,
  ];
  return { project, user, admin, fileId, calls, edgeToken, secrets };
}

/** They are off, and no function has the slug: nothing is called. */
async function storeCalls(
  { database }: ProjectUnderTest,
  name: string,
): Promise<readonly string[]> {
  const rows = await asSuperuser(
    `with trigger as (
       insert into platform.edge_triggers (name, tbl, events, function, is_active)
       values ($1, 'public.posts', '{INSERT}', 'none', false) returning id
     ), schedule as (
       insert into platform.edge_schedules (name, function, cron, time_zone, is_active)
       values ($1, 'none', '0 3 * * *', 'UTC', false) returning id
     )
     select id::text from trigger union all select id::text from schedule`,
    { database, values: [`call of ${name}`] },
  );
  return rows.map(({ id }) => String(id));
}

async function makeEdgeToken(project: ProjectUnderTest): Promise<string> {
  const path = '/api/admin/functions/tokens';
  const reply = await project.asService({ method: 'POST', path, body: { name: 'all' } });
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
  return String(asRecord(reply.body)['token']);
}

async function storeFile(
  project: ProjectUnderTest,
  user: SignedIn,
  content: string,
): Promise<string> {
  const made = await project.asService({
    method: 'POST',
    path: '/api/admin/storage/buckets',
    body: { slug: 'docs' },
  });
  if (made.status !== 201) throw new Error(`${made.status} ${made.text}`);
  const reply = await project.as(user, {
    method: 'PUT',
    path: '/api/files/object/docs/photo.txt',
    headers: { 'content-type': 'text/plain' },
    body: content,
  });
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`);
  return String(asRecord(asRecord(reply.body)['data'])['id']);
}

export async function saveSettings(
  project: ProjectUnderTest,
  group: string,
  values: object,
): Promise<void> {
  const path = `/api/admin/settings/${group}`;
  const reply = await project.asService({ method: 'PUT', path, body: values });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

/** What the console says of an operator who may do everything in `ref`. */
export function assertionFor(deployment: Deployment, ref: string): string {
  return signAssertion(deriveKey(deployment.ground.masterKey, 'assertions'), {
    ref,
    operatorId: 'operator-1',
    email: 'operator@example.org',
    capabilities: CAPABILITIES,
    expiresAt: Math.floor(Date.now() / 1000) + 50,
  });
}

/** The signed session token that stands in the session cookie. */
export function signedToken(user: SignedIn): string {
  return decodeURIComponent(user.cookie.slice(user.cookie.indexOf('=') + 1));
}

/** A JSON web token of the user, as the project gives it out. */
export async function webToken({ project, user }: SeededProject): Promise<string> {
  const reply = await project.as(user, { path: '/api/auth/token' });
  return String(asRecord(reply.body)['token']);
}

type Digest = Readonly<Record<string, unknown>>;

/** Everything that the project stores, as a digest per table. */
export async function digestOf(project: ProjectUnderTest): Promise<Digest> {
  const digest = await openDigest(project);
  try {
    return await digest.read();
  } finally {
    await digest.close();
  }
}

/**
 * Reads everything that the project stores, as a digest per table: rows, users, sessions, settings, audit.
 * Tables that are added later are in it by themselves. How often somebody asked is counted and not stored.
 * A connection knows the tables after its first reading, which takes four times as long as the later ones.
 */
export async function openDigest({ database }: ProjectUnderTest): Promise<{
  read(): Promise<Digest>;
  close(): Promise<void>;
}> {
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${database}`;
  const client = new pg.Client(url.href);
  await client.connect();
  return {
    close: () => client.end(),
    async read() {
      const { rows } = await client.query<{ name: string; md5: string }>(
        `select c.oid::regclass::text as name,
           md5(query_to_xml(format('select * from %s t order by t::text', c.oid::regclass), true, false, '')::text)
         from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
           and c.oid <> 'auth.rate_limit'::regclass
         order by 1`,
      );
      return Object.fromEntries(rows.map(({ name, md5 }) => [name, md5]));
    },
  };
}
