// What administrators do: accounts, organizations, settings, messages, SSO, keys, the audit log and SQL.
import { rowsOf } from '../../http/administration.js';
import { codeFor } from '../../support/authenticator.js';
import { asRecord } from '../../support/deployment.js';
import { userPassword } from '../../support/project.js';
import { listAt } from '../contract.js';
import { metricsToken, type ProjectWorld } from './world.js';

const admin = (route: string) => route.replace(' ', ' /api/admin');

export async function tryUsers(world: ProjectWorld): Promise<void> {
  const { contract, service: as } = world;
  const created = await contract.try(admin('POST /users'), { as });
  const id = String(asRecord(asRecord(created.body)['user'])['id']);
  const path = { id };
  await contract.try(admin('GET /users'), { as, query: { search: 'ada', orderBy: 'email.asc' } });
  await contract.try(admin('GET /users/{id}'), { as, path });
  await contract.try(admin('PATCH /users/{id}'), { as, path });
  await contract.try(admin('POST /users/{id}/reset-password'), { as, path });
  await contract.try(admin('POST /users/{id}/ban'), { as, path });
  for (const action of ['unban', 'promote', 'demote', 'deactivate', 'activate'])
    await contract.try(admin('POST /users/{id}/{action}'), { as, path: { id, action } });
  await contract.try(admin('POST /users/invite'), { as, live: { email: 'invited@example.org' } });
  const live = { email: 'linked@example.org' };
  await contract.try(admin('POST /users/generate-link'), { as, live });
  await contract.try(admin('POST /users/{id}/impersonate'), { as, path });
  await tryKeys(world, id);
  await tryFactors(world);
  await contract.try(admin('DELETE /users/{id}'), { as, path });
}

async function tryKeys({ contract, project, service: as }: ProjectWorld, id: string) {
  await rowsOf(
    project,
    `insert into auth.apikey (id, "configId", "referenceId", key, "createdAt", "updatedAt")
     values ('key', 'default', $1, 'hash', now(), now())`,
    [id],
  );
  await rowsOf(
    project,
    `insert into auth.passkey
       (id, "publicKey", "userId", "credentialID", counter, "deviceType", "backedUp")
     values ('passkey', 'public', $1, 'credential', 0, 'singleDevice', false)`,
    [id],
  );
  await contract.try(admin('GET /users/{id}'), { as, path: { id } });
  await contract.try(admin('DELETE /users/{id}/api-keys/{keyId}'), {
    as,
    path: { id, keyId: 'key' },
  });
  await contract.try(admin('DELETE /users/{id}/passkeys/{passkeyId}'), {
    as,
    path: { id, passkeyId: 'passkey' },
  });
}

async function tryFactors({ contract, project, service: as }: ProjectWorld): Promise<void> {
  const ada = await project.signUp('factor@example.org');
  const enabled = await project.as(ada, {
    method: 'POST',
    path: '/api/auth/two-factor/enable',
    body: { password: userPassword },
  });
  const code = codeFor(String(asRecord(enabled.body)['totpURI']));
  await project.as(ada, {
    method: 'POST',
    path: '/api/auth/two-factor/verify-totp',
    body: { code },
  });
  const path = { id: ada.id };
  const listed = await contract.try(admin('GET /users/{id}/factors'), { as, path });
  const factorId = String(listAt(listed, 'factors')[0]?.['id']);
  await contract.try(admin('GET /users/{id}'), { as, path });
  await contract.try(admin('DELETE /users/{id}/factors/{factorId}'), {
    as,
    path: { ...path, factorId },
  });
  const [session] = await rowsOf(project, 'select id from auth.session where "userId" = $1', [
    ada.id,
  ]);
  await contract.try(admin('DELETE /users/{id}/sessions/{sessionId}'), {
    as,
    path: { ...path, sessionId: String(session?.['id']) },
  });
  await contract.try(admin('DELETE /users/{id}/sessions'), { as, path });
}

export async function tryOrganizations(world: ProjectWorld): Promise<void> {
  const { contract, project, service: as } = world;
  const owner = await project.signUp('owner@example.org');
  await rowsOf(project, 'update auth."user" set "emailVerified" = true');
  const made = await project.as(owner, {
    method: 'POST',
    path: '/api/auth/organization/create',
    body: { name: 'Acme', slug: 'acme' },
  });
  const path = { id: String(asRecord(made.body)['id']) };
  await contract.try(admin('GET /organizations'), { as });
  await contract.try(admin('GET /organizations/{id}/members'), { as, path });
  const member = { ...path, userId: await world.newUser({ emailVerified: true }) };
  await contract.try(admin('PUT /organizations/{id}/members/{userId}'), { as, path: member });
  await contract.try(admin('DELETE /organizations/{id}/members/{userId}'), { as, path: member });
  const invitation = { ...path, invitationId: 'invited' };
  await rowsOf(
    project,
    `insert into auth.invitation (id, "organizationId", email, role, status, "expiresAt", "inviterId")
     values ('invited', $1, 'invited@example.org', 'member', 'pending', now() + interval '1 day', $2)`,
    [path.id, owner.id],
  );
  await contract.try(admin('GET /organizations/{id}/invitations'), { as, path });
  await contract.try(admin('DELETE /organizations/{id}/invitations/{invitationId}'), {
    as,
    path: invitation,
  });
}

export async function trySettings({ contract, service: as }: ProjectWorld): Promise<void> {
  const path = { group: 'auth.methods.emailPassword' };
  await contract.try(admin('GET /settings'), { as });
  await contract.try(admin('GET /settings/{group}'), { as, path });
  await contract.try(admin('PUT /settings/{group}'), { as, path });
  await contract.try(admin('GET /settings/{group}/sources'), { as, path });
  await contract.try(admin('DELETE /settings/{group}'), { as, path });
  const history = await contract.try(admin('GET /settings/{group}/history'), { as, path });
  const id = String(listAt(history, 'versions')[0]?.['id']);
  const version = { ...path, id };
  await contract.try(admin('POST /settings/{group}/history/{id}/restore'), { as, path: version });
  await contract.try(admin('GET /auth/status'), { as });
  await contract.try(admin('GET /auth/origins'), { as });
  await contract.try(admin('POST /auth/keys/rotate'), { as });
  await contract.try(admin('GET /auth/keys'), { as });
  await contract.try(admin('GET /session'), { as });
}

export async function tryMessages(world: ProjectWorld): Promise<void> {
  const { contract, service: as } = world;
  await contract.try(admin('POST /settings/email/test'), { as });
  await contract.try(admin('POST /settings/sms/test'), { as });
  await contract.try(admin('GET /settings/email/templates'), { as });
  await contract.try(admin('POST /settings/email/preview'), { as });
  const inbox = await contract.try(admin('GET /inbox'), { as });
  const id = String(listAt(inbox, 'mails')[0]?.['id']);
  await contract.try(admin('GET /inbox/{id}'), { as, path: { id } });
  await contract.try(admin('DELETE /inbox'), { as });
  await tryStoredMessages(world);
}

async function tryStoredMessages({ contract, project, service: as }: ProjectWorld): Promise<void> {
  const id = '019a9c5e-7d2b-7c31-9f0a-3f5b8f1c2d4e';
  await rowsOf(
    project,
    `insert into platform.messages (id, channel, kind, recipient, sealed_values, status, attempts, last_error)
     values ($1, 'email', 'magicLink', 'ada@example.org', 'v1.x.y', 'failed', 1, $2)`,
    [id, 'The mail server refused the mail: it does not take the recipient'],
  );
  await contract.try(admin('GET /messages'), { as });
  await contract.try(admin('POST /messages/{id}/retry'), { as, path: { id } });
}

export async function tryHooks({
  contract,
  project,
  web,
  service: as,
}: ProjectWorld): Promise<void> {
  const hooks = { webhookUrl: `${web.origin}/events` };
  await project.asService({ method: 'PUT', path: '/api/admin/settings/auth.hooks', body: hooks });
  await rowsOf(
    project,
    `insert into platform.outbox (kind, source, event_id, target, status, attempts, payload)
     values ('hook', 'events', 'evt_1', $1, 'dead', 1, $2)`,
    [
      hooks.webhookUrl,
      {
        id: 'evt_1',
        type: 'user.created',
        createdAt: '2026-01-01T00:00:00Z',
        project: 'shop',
        data: {},
      },
    ],
  );
  const listed = await contract.try(admin('GET /hooks/deliveries'), { as });
  const path = { id: String(listAt(listed, 'deliveries')[0]?.['id']) };
  await contract.try(admin('POST /hooks/deliveries/{id}/retry'), { as, path });
}

export async function tryRealtime({ contract, project, service: as }: ProjectWorld): Promise<void> {
  await project.sql('create table public.listened (id int)');
  await contract.try(admin('GET /realtime/tables'), { as });
  const path = { table: 'listened' };
  await contract.try(admin('PUT /realtime/tables/{table}'), { as, path });
  await project.sql('drop table public.listened');
  await contract.try(admin('GET /realtime/stats'), { as });
  await contract.try(admin('GET /realtime/channels'), { as });
  await contract.try(admin('GET /realtime/refusals'), { as });
  await contract.try(admin('GET /realtime/feed'), { as, query: { seconds: '1' } });
  await contract.try(admin('POST /realtime/inspect'), { as });
  await contract.try(admin('POST /realtime/send'), { as });
  await contract.try('POST /api/realtime/broadcast', { as });
}

export async function trySchema({ contract, project, service: as }: ProjectWorld): Promise<void> {
  await project.sql(`create type public.described_mood as enum ('calm');
    create table public.described (id int primary key, mood public.described_mood);
    create function public.described_once() returns int language sql as 'select 1'`);
  const listed = await contract.try(admin('GET /schema'), { as });
  const path = { table: 'described' };
  await contract.try(admin('GET /schema/tables/{table}'), { as, path });
  const made = listAt(listed, 'functions').find(({ name }) => name === 'described_once');
  const id = String(made?.['id']);
  await contract.try(admin('GET /schema/functions/{id}'), { as, path: { id } });
  await project.sql(`drop table public.described; drop type public.described_mood;
    drop function public.described_once()`);
}

export async function trySsoProviders(world: ProjectWorld): Promise<void> {
  const { contract, issuer, service: as } = world;
  const made = await contract.try(admin('POST /sso/providers'), { as, live: { issuer } });
  const path = { providerId: String(asRecord(made.body)['providerId']) };
  await contract.try(admin('GET /sso/providers'), { as });
  await contract.try(admin('GET /sso/providers/{providerId}'), { as, path });
  await contract.try(admin('PATCH /sso/providers/{providerId}'), { as, path });
  await contract.try(admin('POST /sso/providers/{providerId}/verify-domains'), { as, path });
  await contract.try(admin('POST /sso/providers/{providerId}/test'), { as, path });
  await contract.try(admin('GET /sso/providers/{providerId}/urls'), { as, path });
  await contract.try(admin('DELETE /sso/providers/{providerId}'), { as, path });
}

export async function tryRest({ contract, service: as, asUser }: ProjectWorld): Promise<void> {
  await contract.try('GET /rest/v1');
  await contract.try('GET /rest/v1', { as });
  await contract.try(admin('GET /rest/docs'));
  await contract.try(admin('GET /rest/docs/openapi.json'), { as });
  const path = { table: 'posts' };
  const [query, again] = [{ title: 'eq.Hello' }, { title: 'eq.Hello again' }];
  const headers = { prefer: 'return=representation' };
  await contract.try('POST /rest/v1/{table}', { as: asUser, path, headers });
  await contract.try('GET /rest/v1/{table}', { path, query: { select: 'id,title', limit: '2' } });
  await contract.try('HEAD /rest/v1/{table}', { path, headers: { prefer: 'count=exact' } });
  await contract.try('PATCH /rest/v1/{table}', { as: asUser, path, query, headers });
  await contract.try('DELETE /rest/v1/{table}', { as: asUser, path, query: again, headers });
  await contract.try('POST /rest/v1/batch', { as: asUser });
  const called = { function: 'planets_with' };
  await contract.try('GET /rest/v1/rpc/{function}', { path: called, query: { at_least: '10' } });
  await contract.try('POST /rest/v1/rpc/{function}', { path: called });
  await contract.try(admin('POST /sql'), { as, live: { query: 'select nothing' }, status: 400 });
  await contract.try(admin('POST /sql'), { as, type: 'application/sql' });
  await contract.try(admin('POST /sql'), { as });
  await contract.try(admin('POST /rows/{table}'), { as, path: { table: 'posts' } });
  const id = '019a9c5e-7d2b-7c31-9f0a-3f5b8f1c2d4e';
  await contract.try(admin('DELETE /sql/{id}'), { as, path: { id }, status: 404 });
  const saved = await contract.try(admin('POST /queries'), { as });
  const ofQuery = { id: String(asRecord(saved.body)['id']) };
  await contract.try(admin('GET /queries'), { as });
  await contract.try(admin('GET /queries/{id}'), { as, path: ofQuery });
  await contract.try(admin('PATCH /queries/{id}'), { as, path: ofQuery });
  await contract.try(admin('DELETE /queries/{id}'), { as, path: ofQuery });
  await contract.try(admin('GET /types'), { as });
  await contract.try(admin('GET /audit'), { as });
  await contract.try(admin('GET /requests'), { as });
  await contract.try(admin('GET /requests/feed'), { as, query: { seconds: '1' } });
}

export async function tryPolicies({ contract, service: as }: ProjectWorld): Promise<void> {
  await contract.try(admin('GET /policies'), { as, query: { schema: 'public' } });
  await contract.try(admin('POST /policies/try'), { as });
  const made = await contract.try(admin('POST /policies/tests'), { as });
  const path = { id: String(asRecord(made.body)['id']) };
  await contract.try(admin('GET /policies/tests'), { as });
  await contract.try(admin('PATCH /policies/tests/{id}'), { as, path });
  await contract.try(admin('POST /policies/tests/run'), { as });
  await contract.try(admin('DELETE /policies/tests/{id}'), { as, path });
}

export async function tryServer({ contract }: ProjectWorld): Promise<void> {
  for (const path of ['/api/health-check', '/livez', '/readyz']) await contract.try(`GET ${path}`);
  await contract.try('GET /ws', { status: 426 });
  await contract.try('GET /metrics', { headers: { authorization: `Bearer ${metricsToken}` } });
}
