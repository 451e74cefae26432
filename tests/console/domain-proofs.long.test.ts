// A project is served under a custom domain once it is proven that the domain is its own.
import {
  checkPendingDomains,
  findProject,
  getProjectRecord,
  removeDomain,
  txtReader,
} from '#libs/control-plane';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DnsServer } from '../support/dns-server.js';
import { startConsole, type TestConsole } from './console-under-test.js';
import { uniqueWord } from './control-plane-fixture.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';

let dns: DnsServer;
let console: TestConsole;
let owned: OwnedProject;
let neighbor: OwnedProject;
let owner: string;
let other: string;
let admin: string;
let domain: string;

beforeAll(async () => {
  dns = await DnsServer.open();
  const readTxt = txtReader({ servers: [dns.address], timeoutMs: 200 });
  console = await startConsole({ rootDomain: 'rows.test', readTxt });
  [owned, neighbor] = [await openOwnedProject(console), await openOwnedProject(console)];
  owner = (await addMember(console, owned, { role: 'owner' })).token;
  other = (await addMember(console, neighbor, { role: 'owner' })).token;
  admin = await console.signIn(console.admin.email, console.admin.password);
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
  await dns.close();
}, 60_000);
beforeEach(() => {
  domain = `${uniqueWord('d')}.example.org`;
  dns.records.clear();
  dns.isSilent = false;
});

const path = (of: OwnedProject, rest = '') => `/platform/projects/${of.ref}/domains${rest}`;
const claim = async (of: OwnedProject, token: string) =>
  console.call('POST', path(of), { token, body: { domain } });
const verify = (of: OwnedProject, token: string) =>
  console.call('POST', path(of, `/${domain}/verify`), { token });
const vouch = (of: OwnedProject, token: string) =>
  console.call('POST', path(of, `/${domain}/vouch`), { token });
/** Makes the record that a claim asks for, beside those that are there. */
const publish = (reply: Awaited<ReturnType<typeof claim>>) => {
  const { name, value } = reply.body.record;
  dns.records.set(name, [...(dns.records.get(name) ?? ['v=spf1 -all']), value]);
};
const served = async () => (await findProject(console.fixture.context, domain, 'rows.test'))?.ref;

test('a claim is pending and serves nothing; its record is shown', async () => {
  const reply = await claim(owned, owner);
  expect(reply).toMatchObject({
    status: 201,
    body: {
      domain,
      unicode: domain,
      state: 'pending',
      record: {
        name: `_rowhouse-challenge.${domain}`,
        type: 'TXT',
        value: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    },
  });
  expect(await served()).toBeUndefined();
  const record = await getProjectRecord(console.fixture.context, owned.ref);
  expect(record?.domains).not.toContain(domain);
  expect((await verify(owned, owner)).body).toMatchObject({
    state: 'pending',
    checkedAt: expect.any(String),
  });
  expect(dns.asked.at(-1)).toBe(`_rowhouse-challenge.${domain}`);
  expect(await served()).toBeUndefined();
});

test.each([
  {
    name: 'no record',
    texts: [],
    shown: [],
    problem: 'no-record',
    reason: /^There is no TXT record at /,
  },
  {
    name: 'records of other values',
    texts: ['v=spf1 -all', 'vault-token=private', 'a'.repeat(41), '0'.repeat(40)],
    shown: ['0'.repeat(40)],
    problem: 'other-value',
    reason: /^No TXT record at .* has the value$/,
  },
  {
    name: 'no answer of the name servers',
    isSilent: true,
    texts: [],
    shown: [],
    problem: 'no-answer',
    reason: /^The name servers gave no answer for .* \(ETIMEOUT\)$/,
  },
])(
  'a lookup that proves nothing says so: $name',
  async ({ texts, shown, problem, reason, isSilent }) => {
    const { name, value } = (await claim(owned, owner)).body.record;
    dns.records.set(name, texts);
    dns.isSilent = isSilent ?? false;
    const { status, body } = await verify(owned, owner);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      state: 'pending',
      lookup: {
        name: `_rowhouse-challenge.${domain}`,
        type: 'TXT',
        expected: value,
        found: shown,
        problem,
        reason: expect.stringMatching(reason),
      },
    });
    dns.isSilent = false;
    dns.records.set(name, [value]);
    expect((await verify(owned, owner)).body).not.toHaveProperty('lookup');
  },
);

test('with the record the project is served, and other processes hear of it', async () => {
  publish(await claim(owned, owner));
  const reply = await verify(owned, owner);
  expect(reply).toMatchObject({ status: 200, body: { state: 'verified', proof: 'dns' } });
  expect(await served()).toBe(owned.ref);
  const record = await getProjectRecord(console.fixture.context, owned.ref);
  expect(record?.domains).toContain(domain);
  expect(console.fixture.published.at(-1)).toMatchObject({ data: { version: record?.version } });
  const removed = await console.call('DELETE', path(owned, `/${domain}`), { token: owner });
  expect(removed.status).toBe(204);
  expect(await served()).toBeUndefined();
});

test('a claim without proof blocks nobody', async () => {
  await claim(neighbor, other);
  const mine = await claim(owned, owner);
  expect(mine.status).toBe(201);
  publish(mine);
  expect((await verify(owned, owner)).body.state).toBe('verified');
  expect((await verify(neighbor, other)).body.state).toBe('pending');
  expect(await served()).toBe(owned.ref);
});

test('the record of one claim does not prove another', async () => {
  const mine = await claim(owned, owner);
  await claim(neighbor, other);
  publish(mine);
  expect((await verify(neighbor, other)).body.state).toBe('pending');
});

test('while both records are there the first keeps the name; without its own it loses it', async () => {
  const mine = await claim(owned, owner);
  publish(mine);
  await verify(owned, owner);
  const theirs = await claim(neighbor, other);
  publish(theirs);
  const refused = await verify(neighbor, other);
  expect(refused).toMatchObject({ status: 409, body: { code: 'DOMAIN_TAKEN' } });
  expect(await served()).toBe(owned.ref);
  const { name, value } = theirs.body.record;
  dns.records.set(name, [value]);
  expect((await verify(neighbor, other)).body.state).toBe('verified');
  expect(await served()).toBe(neighbor.ref);
});

test('an administrator of the deployment vouches, an owner does not', async () => {
  await claim(owned, owner);
  expect(await vouch(owned, owner)).toMatchObject({
    status: 403,
    body: { code: 'DEPLOYMENT_ADMIN_REQUIRED' },
  });
  expect(await served()).toBeUndefined();
  expect(await vouch(owned, admin)).toMatchObject({
    status: 200,
    body: { state: 'verified', proof: 'operator' },
  });
  publish(await claim(neighbor, other));
  expect((await verify(neighbor, other)).status).toBe(409);
  expect((await vouch(neighbor, admin)).status).toBe(409);
  expect(await served()).toBe(owned.ref);
});

test('the background check proves what waits, and goes on after a server that does not answer', async () => {
  const { context } = console.fixture;
  const signal = new AbortController().signal;
  const readTxt = txtReader({ servers: [dns.address], timeoutMs: 100 });
  const check = () =>
    checkPendingDomains(context, readTxt, { signal, onError: (error) => expect(error).toBeNull() });
  publish(await claim(owned, owner));
  dns.isSilent = true;
  expect(await check()).toEqual([]);
  dns.isSilent = false;
  expect(await check()).toEqual([{ ref: owned.ref, domain }]);
  expect(await served()).toBe(owned.ref);
  await removeDomain(context, 'system', { ref: owned.ref, domain });
});

test('the claims of one project keep no other waiting, and a failing one not the others', async () => {
  const { context } = console.fixture;
  const [busy, quiet] = [await openOwnedProject(console), await openOwnedProject(console)];
  const claims: string[] = [];
  for (let n = 0; n < 10; n++) {
    domain = `${uniqueWord('busy')}.example.org`;
    claims.push(domain);
    expect((await claim(busy, admin)).status).toBe(201);
  }
  domain = `${uniqueWord('busy')}.example.org`;
  expect(await claim(busy, admin)).toMatchObject({
    status: 409,
    body: { code: 'TOO_MANY_DOMAINS', message: 'A project has at most 10 pending domains' },
  });
  domain = `${uniqueWord('quiet')}.example.org`;
  expect((await claim(quiet, admin)).status).toBe(201);

  const signal = new AbortController().signal;
  const run = async (): Promise<readonly string[]> => {
    const asked: string[] = [];
    const readTxt = (name: string) => {
      asked.push(name.replace('_rowhouse-challenge.', ''));
      return Promise.reject(new Error('the name server is out of order'));
    };
    await checkPendingDomains(context, readTxt, { signal, onError: () => undefined });
    return asked;
  };
  const [first, second] = [await run(), await run()];
  for (const asked of [first, second]) {
    expect(asked).toContain(domain);
    expect(asked.filter((name) => claims.includes(name))).toHaveLength(5);
  }
  expect(claims.filter((name) => !first.includes(name) && !second.includes(name))).toEqual([]);
});

test('domains from before claims were checked are served', async () => {
  const { dataSource } = console.fixture.controlPlane;
  const columns: { column_default: string | null }[] = await dataSource.query(
    `select column_default from information_schema.columns
     where table_name = 'project_domain' and column_name in ('verified_at', 'proof')`,
  );
  expect(columns.map(({ column_default }) => column_default)).toEqual([null, null]);
  await dataSource.query(
    `insert into project_domain (domain, ref, token, verified_at, proof)
     values ($1, $2, 't', now(), 'migration')`,
    [domain, owned.ref],
  );
  expect(await served()).toBe(owned.ref);
  // Whoever controls the DNS of the name has the better claim.
  publish(await claim(neighbor, other));
  expect((await verify(neighbor, other)).body.state).toBe('verified');
  expect(await served()).toBe(neighbor.ref);
});

test.each([
  { name: 'below the root domain', text: 'x.rows.test' },
  { name: 'with a Cyrillic letter', text: 'xn--pple-43d.com' },
])('a name $name cannot be claimed', async ({ text }) => {
  const reply = await console.call('POST', path(owned), {
    token: owner,
    body: { domain: text },
  });
  expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
});

test('both forms of a name are shown', async () => {
  const text = `bücher-${uniqueWord('d')}.example`;
  const reply = await console.call('POST', path(owned), {
    token: owner,
    body: { domain: text },
  });
  expect(reply.body).toMatchObject({ unicode: text, domain: expect.stringMatching(/^xn--/) });
});

test.each(['verify', 'vouch'])('a domain that was not claimed: %s is 404', async (verb) => {
  const reply = await console.call('POST', path(owned, `/${domain}/${verb}`), {
    token: admin,
  });
  expect(reply).toMatchObject({ status: 404, body: { code: 'DOMAIN_NOT_FOUND' } });
});
