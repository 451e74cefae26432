// What DNS says of the host names of a project, beside what it should say. A name server of the test answers.
import { hostReader, txtReader } from '#libs/control-plane';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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
let ownHost: string;

/** An answer may take long on a busy machine; only the end of the wait for a silent server is part of a test. */
const patienceMs = (whileSilent: number): number => (dns.isSilent ? whileSilent : 20_000);

beforeAll(async () => {
  dns = await DnsServer.open();
  const servers = [dns.address];
  console = await startConsole({
    rootDomain: 'rows.test',
    projectUrl: (ref) => `https://${ref}.rows.test`,
    readTxt: (name) => txtReader({ servers, timeoutMs: patienceMs(200) })(name),
    readHost: (name) => hostReader({ servers, deadlineMs: patienceMs(1_000) })(name),
  });
  [owned, neighbor] = [await openOwnedProject(console), await openOwnedProject(console)];
  owner = (await addMember(console, owned, { role: 'owner' })).token;
  other = (await addMember(console, neighbor, { role: 'owner' })).token;
  admin = await console.signIn(console.admin.email, console.admin.password);
  ownHost = `${owned.ref}.rows.test`;
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
  await dns.close();
}, 60_000);
beforeEach(async () => {
  domain = `${uniqueWord('d')}.example.org`;
  for (const table of [dns.records, dns.addresses, dns.aliases]) table.clear();
  dns.isSilent = false;
  dns.asked.length = 0;
});

// A project has ten pending domains at most.
afterEach(() => console.call('DELETE', path(owned, `/${domain}`), { token: owner }));

const path = (of: OwnedProject, rest = '') => `/platform/projects/${of.ref}/domains${rest}`;
const claim = async () => {
  const reply = await console.call('POST', path(owned), { token: owner, body: { domain } });
  expect(reply.status).toBe(201);
  return reply.body.record as { readonly name: string; readonly value: string };
};
const look = (name = domain, token = owner, of = owned) =>
  console.call('GET', path(of, `/${name}/dns`), { token });

describe('the addresses of a domain', () => {
  test.each([
    {
      name: 'the same as those of the project: right',
      addresses: ['203.0.113.7'],
      address: { state: 'right', found: { alias: null, addresses: ['203.0.113.7'] } },
    },
    {
      name: 'one of several is elsewhere: other',
      addresses: ['203.0.113.7', '8.8.4.4'],
      address: { state: 'other', found: { addresses: ['203.0.113.7', '8.8.4.4'] } },
    },
    {
      name: 'none: missing',
      addresses: [],
      address: { state: 'missing', found: { addresses: [] } },
    },
  ])('$name', async ({ addresses, address }) => {
    await claim();
    dns.addresses.set(ownHost, ['203.0.113.7', '203.0.113.8']);
    dns.addresses.set(domain, addresses);
    const { status, body } = await look();
    expect(status).toBe(200);
    expect(body.address).toMatchObject({ name: domain, ...address });
    expect(body.address.expected.alias).toBe(ownHost);
    expect(new Set(body.address.expected.addresses)).toEqual(
      new Set(['203.0.113.7', '203.0.113.8']),
    );
  });

  test('a CNAME record to the host name of the project is right', async () => {
    await claim();
    dns.addresses.set(ownHost, ['203.0.113.7']);
    dns.aliases.set(domain, ownHost);
    expect((await look()).body.address).toMatchObject({
      state: 'right',
      found: { alias: ownHost, addresses: ['203.0.113.7'] },
    });
  });

  test('without an address of the project they cannot be compared', async () => {
    await claim();
    dns.addresses.set(domain, ['203.0.113.7']);
    expect((await look()).body.address.state).toBe('unknown');
  });

  test('a silent name server is no answer, after the deadline', async () => {
    await claim();
    dns.isSilent = true;
    const { status, body } = await look();
    expect(status).toBe(200);
    expect(body).toMatchObject({ claim: { state: 'no-answer' }, address: { state: 'no-answer' } });
  });

  test('a private address is shown neither before the claim is verified nor after it', async () => {
    await claim();
    dns.addresses.set(ownHost, ['203.0.113.7']);
    dns.aliases.set(domain, 'db.intranet.test');
    dns.addresses.set('db.intranet.test', ['10.1.2.3']);
    const before = await look();
    expect(before.body.address).toMatchObject({
      state: 'other',
      found: { alias: null, addresses: [], hiddenAddresses: 1 },
    });
    expect(before.text).not.toMatch(/10\.1\.2\.3|intranet/);
    expect(
      (await console.call('POST', path(owned, `/${domain}/vouch`), { token: admin })).status,
    ).toBe(200);
    const after = await look();
    expect(after.body.address.found).toEqual({ alias: null, addresses: [], hiddenAddresses: 1 });
    expect(after.text).not.toMatch(/10\.1\.2\.3|intranet/);
  });
});

test.each([
  { state: 'right', others: ['secret of a private zone'], isThere: true, found: [] },
  { state: 'other', others: ['v=spf1 -all'], isThere: false, found: [] },
  { state: 'other', others: ['a'.repeat(40)], isThere: false, found: ['a'.repeat(40)] },
  { state: 'missing', others: [], isThere: false, found: [] },
])('the TXT record of the claim: $state', async ({ state, others, isThere, found }) => {
  const { name, value } = await claim();
  const own = isThere ? [value] : [];
  dns.records.set(name, [...others, ...own]);
  const { body } = await look();
  expect(body.claim).toEqual({ name, expected: value, found: [...found, ...own], state });
  const listed = await console.call('GET', path(owned), { token: owner });
  expect(listed.text).toContain('"state":"pending"');
});

test('the host name of the project needs an address and no claim', async () => {
  expect((await look(ownHost)).body).toMatchObject({ claim: null, address: { state: 'missing' } });
  dns.addresses.set(ownHost, ['203.0.113.7']);
  expect((await look(ownHost.toUpperCase())).body.address).toMatchObject({
    state: 'right',
    found: { addresses: ['203.0.113.7'] },
  });
});

test('no name server is asked about a host name below localhost', async () => {
  await using local = await startConsole({
    readHost: () => Promise.reject(new Error('a name server was asked')),
  });
  const project = await openOwnedProject(local);
  const { token } = await addMember(local, project, { role: 'viewer' });
  const reply = await local.call('GET', path(project, `/${project.ref}.localhost/dns`), { token });
  expect(reply.body.address).toMatchObject({
    state: 'local',
    found: { addresses: ['127.0.0.1', '::1'] },
  });
});

test.each([
  { name: 'a name that nobody has claimed', asked: () => 'other.example.org', token: () => owner },
  {
    name: 'the host name of another project',
    asked: () => `${neighbor.ref}.rows.test`,
    token: () => owner,
  },
  { name: 'the root domain', asked: () => 'rows.test', token: () => owner },
  { name: 'an address', asked: () => '10.0.0.1', token: () => owner },
])('$name is not looked up', async ({ asked, token }) => {
  expect(await look(asked(), token())).toMatchObject({
    status: 404,
    body: { code: 'DOMAIN_NOT_FOUND' },
  });
  expect(dns.asked).toEqual([]);
});

test('the domain of one project is none of another', async () => {
  await claim();
  expect(await look(domain, other, neighbor)).toMatchObject({
    status: 404,
    body: { code: 'DOMAIN_NOT_FOUND' },
  });
  expect(await look(domain, other)).toMatchObject({
    status: 404,
    body: { code: 'PROJECT_NOT_FOUND' },
  });
  expect(dns.asked).toEqual([]);
});

test('an operator has 60 look-ups a minute, over all projects, and others have their own', async () => {
  await claim();
  const { token } = await addMember(console, owned, { role: 'viewer' });
  for (let count = 0; count < 60; count += 1) {
    // One after the other: the last one within the limit comes before the first beyond it.
    expect((await look(domain, token)).status).toBe(200);
  }
  dns.asked.length = 0;
  const refused = await look(domain, token);
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
  expect(dns.asked).toEqual([]);
  expect(
    (await look(domain, (await addMember(console, owned, { role: 'viewer' })).token)).status,
  ).toBe(200);
  expect((await console.call('GET', path(owned), { token })).status).toBe(200);
});
