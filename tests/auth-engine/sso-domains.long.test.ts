import { createSocket, type Socket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  openOidcIdentityProvider,
  type OidcIdentityProvider,
} from '../support/oidc-identity-provider.js';
import { signUp, type AuthProject } from './auth-project.js';
import {
  manager,
  oidcBody,
  openSsoProject,
  organizationOf,
  register,
  sessionOf,
  signInAt,
  type Manager,
} from './sso-project.js';
import { at, textAt } from '../support/replies.js';

let project: AuthProject;
let idp: OidcIdentityProvider;
let admin: Manager;
let owner: Manager;
let organizationId: string;
let rival: Manager;
let rivalOrganizationId: string;
let server: DnsServer;

beforeAll(async () => {
  [project, idp, server] = await Promise.all([
    openSsoProject({ sso: { maxProvidersPerOrganization: 50 } }),
    openOidcIdentityProvider(),
    openDnsServer(),
  ]);
  dns.setServers([`127.0.0.1:${server.port}`]);
  admin = await manager(project, 'admin@app.test', { role: 'ADMIN' });
  owner = await manager(project, 'owner@app.test');
  rival = await manager(project, 'rival@app.test');
  organizationId = await organizationOf(project, owner, 'corp');
  rivalOrganizationId = await organizationOf(project, rival, 'rival');
});
afterAll(async () => {
  server.close();
  await Promise.all([project.close(), idp.close()]);
});

let providers = 0;
/** Registers a provider of the organization; answers its id. */
async function claim(domain: string): Promise<string> {
  providers += 1;
  const providerId = `p${providers}`;
  await register(owner, { ...oidcBody(idp, providerId, domain), organizationId });
  return providerId;
}

function arrive(providerId: string, email: string) {
  const body = { providerId };
  return signInAt(project, idp, { login: email, claims: { email, email_verified: true }, body });
}

/** The record that proves the domain of a provider. */
async function recordOf(
  providerId: string,
): Promise<{ readonly name: string; readonly value: string }> {
  const { body } = await owner.get(`get-provider?providerId=${providerId}`);
  const record = at(body, 'domains', '0', 'record');
  return { name: textAt(record, 'name'), value: textAt(record, 'value') };
}

test('whoever merely claims a domain gets nobody’s sign-in by it', async () => {
  const providerId = await claim('claimed.test');
  for (const body of [{ email: 'ceo@claimed.test' }, { domain: 'claimed.test' }]) {
    const reply = await project.post('/sign-in/sso', { body });
    expect(at(reply.body, 'code')).toBe('SSO_PROVIDER_NOT_FOUND');
  }
  await signUp(project, 'ceo@claimed.test');
  const [before] = await project.sql('select count(*) from auth."user"');
  for (const email of ['ceo@claimed.test', 'nobody@claimed.test']) {
    const done = await arrive(providerId, email);
    expect(done).toMatchObject({ outcome: 'SSO_DOMAIN_NOT_VERIFIED', token: undefined });
  }
  expect(await project.sql('select count(*) from auth."user"')).toEqual([before]);
});

test('a record in the DNS proves a domain', async () => {
  const providerId = await claim('proven.test');
  const record = await recordOf(providerId);
  expect(record.name).toBe('_rowhouse-sso.proven.test');
  const early = await owner.post('verify-domain', { providerId });
  expect(early.body).toMatchObject({ domainVerified: false });
  server.records.set(record.name, `${record.value}x`);
  expect((await owner.post('verify-domain', { providerId })).body).toMatchObject({
    domainVerified: false,
  });
  server.records.set(record.name, record.value);
  const { body } = await owner.post('verify-domain', { providerId });
  expect(body).toMatchObject({
    domainVerified: true,
    domains: [{ domain: 'proven.test', verified: true }],
  });
  const done = await arrive(providerId, 'a@proven.test');
  expect(await sessionOf(project, done.token)).toMatchObject({
    activeOrganizationId: organizationId,
  });
  expect((await project.post('/sign-in/sso', { body: { email: 'x@proven.test' } })).status).toBe(
    200,
  );
});

test('the record of one provider proves nothing for another', async () => {
  const first = await recordOf(await claim('shared.test'));
  const second = await recordOf(await claim('shared.test'));
  expect(first.name).toBe(second.name);
  expect(first.value).not.toBe(second.value);
});

test('an administrator vouches for domains', async () => {
  const providerId = await claim('vouched.test');
  expect((await admin.post('verify-domain', { providerId })).body).toMatchObject({
    domainVerified: true,
  });
  expect((await arrive(providerId, 'a@vouched.test')).outcome).toBe('ok');
});

test('one provider per domain: a second one is refused', async () => {
  await register(admin, oidcBody(idp, 'first', 'taken.test'));
  const attempts = [
    admin.post('register', oidcBody(idp, 'second', 'free.test, TAKEN.test')),
    owner.post('register', { ...oidcBody(idp, 'third', 'taken.test'), organizationId }),
  ];
  for (const reply of await Promise.all(attempts)) {
    expect([reply.status, at(reply.body, 'code')]).toEqual([409, 'SSO_DOMAIN_TAKEN']);
  }
  const rows = await project.sql(`select from auth."ssoDomain" where domain = 'free.test'`);
  expect(rows).toEqual([]);
});

test('a claim blocks nobody: whoever proves the domain first has it', async () => {
  const squatting = oidcBody(idp, 'squatter', 'wanted.test');
  await register(rival, { ...squatting, organizationId: rivalOrganizationId });
  const providerId = await claim('wanted.test');
  const record = await recordOf(providerId);
  server.records.set(record.name, record.value);
  expect((await owner.post('verify-domain', { providerId })).body).toMatchObject({
    domainVerified: true,
  });
  const late = await admin.post('verify-domain', { providerId: 'squatter' });
  expect([late.status, at(late.body, 'code')]).toEqual([409, 'SSO_DOMAIN_TAKEN']);
});

test('several at once: one has the domain', async () => {
  const bodies = ['x1', 'x2', 'x3'].map((providerId) => oidcBody(idp, providerId, 'raced.test'));
  const replies = await Promise.all(bodies.map((body) => admin.post('register', body)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test('a domain that is added by an update is not proven, and one that stays is', async () => {
  const providerId = await claim('kept.test');
  await admin.post('verify-domain', { providerId });
  const reply = await owner.post('update-provider', { providerId, domain: 'kept.test,added.test' });
  expect(reply.body).toMatchObject({
    domain: 'added.test,kept.test',
    domains: [
      { domain: 'added.test', verified: false },
      { domain: 'kept.test', verified: true },
    ],
  });
  expect((await arrive(providerId, 'a@added.test')).outcome).toBe('SSO_DOMAIN_NOT_VERIFIED');
  expect((await arrive(providerId, 'a@kept.test')).outcome).toBe('ok');
  await owner.post('update-provider', { providerId, domain: 'added.test' });
  expect((await arrive(providerId, 'a@kept.test')).outcome).toBe('EMAIL_DOMAIN_NOT_ALLOWED');
});

interface DnsServer {
  readonly port: number;
  /** TXT records by name. */
  readonly records: Map<string, string>;
  close(): void;
}

/** A DNS server that knows TXT records and nothing else (RFC 1035 §4). */
async function openDnsServer(): Promise<DnsServer> {
  const records = new Map<string, string>();
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    socket.send(answerTo(query, records), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { port: portOf(socket), records, close: () => socket.close() };
}

function portOf(socket: Socket): number {
  return socket.address().port;
}

function answerTo(query: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const headerBytes = 12;
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString());
    at += length + 1;
  }
  const question = query.subarray(headerBytes, at + 5);
  const text = records.get(labels.join('.').toLowerCase());
  const header = Buffer.alloc(headerBytes);
  query.copy(header, 0, 0, 2);
  // An answer to a recursive question; 3 means that there is no such name.
  header.writeUInt16BE(text === undefined ? 0x8183 : 0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(text === undefined ? 0 : 1, 6);
  if (text === undefined) return Buffer.concat([header, question]);
  const data = Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
  // The name is the one of the question; type TXT, class IN, no time to live.
  const record = Buffer.from([0xc0, headerBytes, 0, 16, 0, 1, 0, 0, 0, 0, 0, data.length]);
  return Buffer.concat([header, question, record, data]);
}
