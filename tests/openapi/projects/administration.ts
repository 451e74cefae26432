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
  for (const action of ['promote', 'demote', 'deactivate', 'activate'])
    await contract.try(admin('POST /users/{id}/{action}'), { as, path: { id, action } });
  await contract.try(admin('POST /users/invite'), { as, live: { email: 'invited@example.org' } });
  const live = { email: 'linked@example.org' };
  await contract.try(admin('POST /users/generate-link'), { as, live });
  await tryFactors(world);
  await contract.try(admin('DELETE /users/{id}'), { as, path });
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
  await contract.try(admin('PUT /organizations/{id}/members/{userId}'), {
    as,
    path: { ...path, userId: await world.newUser({ emailVerified: true }) },
  });
}

export async function trySettings({ contract, service: as }: ProjectWorld): Promise<void> {
  const path = { group: 'auth.methods.emailPassword' };
  await contract.try(admin('GET /settings'), { as });
  await contract.try(admin('GET /settings/{group}'), { as, path });
  await contract.try(admin('PUT /settings/{group}'), { as, path });
  await contract.try(admin('DELETE /settings/{group}'), { as, path });
  await contract.try(admin('GET /auth/status'), { as });
  await contract.try(admin('POST /auth/keys/rotate'), { as });
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
    `insert into platform.hook_deliveries (hook, event_id, target, status, attempts, payload)
     values ('events', 'evt_1', $1, 'dead', 1, $2)`,
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
  await contract.try(admin('GET /types'), { as });
  await contract.try(admin('GET /audit'), { as });
}

export async function tryServer({ contract }: ProjectWorld): Promise<void> {
  for (const path of ['/api/health-check', '/livez', '/readyz']) await contract.try(`GET ${path}`);
  await contract.try('GET /metrics', { headers: { authorization: `Bearer ${metricsToken}` } });
}
