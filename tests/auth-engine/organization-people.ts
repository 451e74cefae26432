// Users who form organizations, for the tests of that part.
import type pg from 'pg';
import { openAuthProject, signUp } from './auth-project.js';
import type { AuthProject, Reply } from './auth-project.js';
import { at, bearer, textAt } from '../support/replies.js';

/** A signed-in user and what it asks of the routes of organizations. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  get(operation: string, query?: Readonly<Record<string, string>>): Promise<Reply>;
  post(operation: string, body?: unknown): Promise<Reply>;
}

interface Options {
  readonly idType?: 'text' | 'uuid';
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A project whose group `auth.organization` has these values, stored as a save stores them. */
export async function openOrganizations(
  group: Readonly<Record<string, unknown>> = {},
  { idType = 'text', settings = {} }: Options = {},
): Promise<AuthProject> {
  const project = await openAuthProject({
    idType,
    settings: { ...settings, 'auth.organization': group },
  });
  await store(project, group);
  return project;
}

/** Stores the group `auth.organization`, as another process may do at any time. */
export async function store(
  project: AuthProject,
  group: Readonly<Record<string, unknown>>,
): Promise<void> {
  await project.sql(
    `insert into platform.app_settings (name, value) values ('auth.organization', $1::jsonb)
     on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(group)],
  );
}

/** Signs a user up, its address verified unless told otherwise. */
export async function join(
  project: AuthProject,
  email: string,
  { isVerified = true }: { readonly isVerified?: boolean } = {},
): Promise<Person> {
  const { body } = await signUp(project, email, { body: { name: `Name of ${email}` } });
  if (isVerified) {
    await project.sql('update auth."user" set "emailVerified" = true where email = $1', [email]);
  }
  const token = textAt(body, 'token');
  const headers = bearer(token);
  return {
    id: textAt(body, 'user', 'id'),
    email,
    token,
    get: (operation, query = {}) => {
      const search = new URLSearchParams(query).toString();
      return project.get(`/organization/${operation}${search && `?${search}`}`, { headers });
    },
    post: (operation, body = {}) => project.post(`/organization/${operation}`, { headers, body }),
  };
}

/** Makes an organization and answers its id. */
export async function found(owner: Person, slug: string): Promise<string> {
  const reply = await owner.post('create', { name: `Name of ${slug}`, slug });
  if (reply.status !== 200) throw new Error(`create failed: ${JSON.stringify(reply.body)}`);
  return textAt(reply.body, 'id');
}

/** Invites a user; answers the id of the invitation. */
export async function invite(
  inviter: Person,
  organizationId: string,
  { email, role = 'member' }: { readonly email: string; readonly role?: string },
): Promise<string> {
  const reply = await inviter.post('invite-member', { organizationId, email, role });
  if (reply.status !== 200) throw new Error(`invite failed: ${JSON.stringify(reply.body)}`);
  return textAt(reply.body, 'id');
}

/** Invites a user, who accepts; answers the id of the membership. */
export async function bring(
  inviter: Person,
  organizationId: string,
  { person, role = 'member' }: { readonly person: Person; readonly role?: string },
): Promise<string> {
  const invitationId = await invite(inviter, organizationId, { email: person.email, role });
  const reply = await person.post('accept-invitation', { invitationId });
  if (reply.status !== 200) throw new Error(`accept failed: ${JSON.stringify(reply.body)}`);
  return textAt(reply.body, 'member', 'id');
}

/** The members of an organization as the database has them: `email role`, in order. */
export async function membersOf(
  project: AuthProject,
  organizationId: string,
): Promise<readonly unknown[]> {
  const rows = await project.sql(
    `select u.email || ' ' || m.role as member from auth.member m join auth."user" u on u.id = m."userId"
     where m."organizationId" = $1 order by 1`,
    [organizationId],
  );
  return rows.map(({ member }) => member);
}

/** What the claims of a request with this session say about its organization; undefined for nothing. */
export async function claimsOf(project: AuthProject, person: Person): Promise<unknown> {
  const [row] = await project.sql(
    `select '{' || auth.membership_claims("userId", "activeOrganizationId", "activeTeamId") || '}' as claims
     from auth.session where "tokenHash" = sha256($1)`,
    [person.token],
  );
  const claims = row?.['claims'];
  return typeof claims === 'string' ? JSON.parse(claims) : undefined;
}

/** Status and code of an answer. */
export function outcome(reply: Reply): string {
  const code: unknown = at(reply.body, 'code');
  return typeof code === 'string' ? `${reply.status} ${code}` : String(reply.status);
}

/**
 * Runs `text` on `client` and comes back once it waits for a lock or has ended; `ended` resolves to `done`, or
 * to the name of the constraint that it violates.
 */
export async function untilBlocked(
  project: AuthProject,
  client: pg.PoolClient,
  { text, values = [] }: { readonly text: string; readonly values?: readonly unknown[] },
): Promise<{ readonly ended: Promise<unknown> }> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  let isEnded = false;
  const ended = client
    .query(text, [...values])
    .then(
      () => 'done',
      (error: unknown) => at(error, 'constraint'),
    )
    .finally(() => {
      isEnded = true;
    });
  const endsAt = Date.now() + 10_000;
  while (!isEnded) {
    // One look after the other until there is something to see.
    const [state] = await project.sql(
      `select wait_event_type = 'Lock' as waits from pg_stat_activity where pid = $1`,
      [rows[0]?.pid],
    );
    if (state?.['waits'] === true) break;
    if (Date.now() > endsAt) throw new Error('the statement neither waits nor ends');
  }
  return { ended };
}
