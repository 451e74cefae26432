import { getProjectRecord } from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '../support/test-server.js';
import { startConsole, type TestConsole } from './console-under-test.js';
import { tracesOf, uniqueWord } from './control-plane-fixture.js';
import { addMember, openOwnedProject, type OwnedProject } from './members-fixture.js';

let console: TestConsole;
let owned: OwnedProject;
let neighbor: OwnedProject;
let owner: string;
let developer: string;
let viewer: string;

beforeAll(async () => {
  console = await startConsole({ rootDomain: 'rows.test' });
  [owned, neighbor] = [await openOwnedProject(console), await openOwnedProject(console)];
  owner = (await addMember(console, owned, { role: 'owner' })).token;
  developer = (await addMember(console, owned, { role: 'developer' })).token;
  viewer = (await addMember(console, owned, { role: 'viewer' })).token;
}, 60_000);
afterAll(async () => {
  await console[Symbol.asyncDispose]();
}, 60_000);

const path = (rest = ''): string => `/platform/projects/${owned.ref}${rest}`;
const lastPublished = (): unknown => console.fixture.published.at(-1);

async function create(token: string, body: object): ReturnType<TestConsole['call']> {
  return console.call('POST', '/platform/projects', { token, body });
}

describe('creating', () => {
  test('answers with the address, the keys and the connection string', async () => {
    const ref = uniqueWord('p');
    const reply = await create(owner, { name: 'Shop', ref });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        ref,
        name: 'Shop',
        url: `http://${ref}.localhost`,
        publishableKey: expect.stringMatching(/^svc_publishable_.{43}$/),
        secretKey: expect.stringMatching(/^svc_secret_.{43}$/),
        databaseUrl: expect.stringMatching(/^postgres:\/\/d[0-9a-f]{20}_owner:/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      },
    });
    const tables = await withClient(reply.body.databaseUrl, async (client) => {
      await client.query('create table notes (id int)');
      return client.query(`select relrowsecurity as rls from pg_class where relname = 'notes'`);
    });
    expect(tables.rows).toEqual([{ rls: true }]);
  });

  test('the connection string can be read again, with secrets.manage alone', async () => {
    const ref = uniqueWord('p');
    const { body } = await create(owner, { name: 'Shop', ref });
    const at = `/platform/projects/${ref}/database`;
    const reply = await console.call('GET', at, { token: owner });
    const { username: user, pathname, hostname: host } = new URL(body.databaseUrl);
    expect(reply).toMatchObject({
      status: 200,
      body: { host, user, database: pathname.slice(1), databaseUrl: body.databaseUrl },
    });
  });

  test('without secrets.manage no secret is shown', async () => {
    const grant = { role: 'custom', capabilities: ['projects.manage', 'content.read'] } as const;
    const { token } = await addMember(console, owned, {
      ...grant,
      capabilities: [...grant.capabilities],
    });
    const reply = await create(token, { name: 'Shop' });
    expect(reply.status).toBe(201);
    expect(Object.keys(reply.body).toSorted()).toEqual(['createdAt', 'name', 'ref', 'url']);
  });

  test('users may have uuids', async () => {
    const { body } = await create(owner, { name: 'Shop', idType: 'uuid' });
    const reply = await console.call('GET', `/platform/projects/${body.ref}`, { token: owner });
    expect(reply.body).toMatchObject({ idType: 'uuid', status: 'active' });
  });

  test.each([
    { name: 'no name', body: { ref: 'shop1' }, code: 'INVALID_INPUT', field: 'name' },
    { name: 'an empty name', body: { name: '' }, code: 'INVALID_INPUT', field: 'name' },
    {
      name: 'a ref in capitals',
      body: { name: 'x', ref: 'Shop' },
      code: 'INVALID_INPUT',
      field: 'ref',
    },
    {
      name: 'a reserved ref',
      body: { name: 'x', ref: 'console' },
      code: 'INVALID_INPUT',
      field: 'ref',
    },
    {
      name: 'an id type',
      body: { name: 'x', idType: 'int' },
      code: 'INVALID_INPUT',
      field: 'idType',
    },
    {
      name: 'a foreign field',
      body: { name: 'x', status: 'y' },
      code: 'UNKNOWN_FIELD',
      field: 'status',
    },
  ])('refuses $name, naming the field', async ({ body, code, field }) => {
    const reply = await create(owner, body);
    expect(reply).toMatchObject({ status: 400, body: { code } });
    expect(reply.body.message).toContain(field);
  });

  test.each([
    {
      name: 'a viewer',
      token: () => viewer,
      organizationId: () => owned.organizationId,
      code: 'CAPABILITY_REQUIRED',
    },
    {
      name: 'a developer',
      token: () => developer,
      organizationId: () => undefined,
      code: 'CAPABILITY_REQUIRED',
    },
    {
      name: 'an owner of another organization',
      token: () => owner,
      organizationId: () => neighbor.organizationId,
      code: 'ORGANIZATION_NOT_FOUND',
    },
  ])('$name may not: $code', async ({ token, organizationId, code }) => {
    const ref = uniqueWord('p');
    const reply = await create(token(), { name: 'x', ref, organizationId: organizationId() });
    expect(reply.body.code).toBe(code);
    expect(await tracesOf(console.fixture, ref)).toEqual([]);
  });

  test('an owner of two organizations names one', async () => {
    const operator = await addMember(console, owned, { role: 'owner' });
    await console.fixture.controlPlane.dataSource.query(
      `insert into membership (id, operator_id, organization_id, role) values ($1, $1, $2, 'owner')`,
      [operator.operatorId, neighbor.organizationId],
    );
    const vague = await create(operator.token, { name: 'x' });
    expect(vague).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
    const { organizationId } = neighbor;
    expect(await create(operator.token, { name: 'x', organizationId })).toMatchObject({
      status: 201,
    });
  });

  test('a taken ref is refused', async () => {
    const reply = await create(owner, { name: 'x', ref: owned.ref });
    expect(reply).toMatchObject({ status: 409, body: { code: 'REF_TAKEN' } });
  });
});

describe('listing', () => {
  const list = async (token: string, query = ''): Promise<string[]> => {
    const reply = await console.call('GET', `/platform/projects${query}`, { token });
    return reply.body.projects.map(({ ref }: { ref: string }) => ref);
  };

  test('shows the projects of the own organizations and no others', async () => {
    const refs = await list(viewer);
    expect(refs).toContain(owned.ref);
    expect(refs).not.toContain(neighbor.ref);
  });

  test('a membership on one project shows that project alone', async () => {
    const { token } = await addMember(console, owned, { role: 'developer' }, 'project');
    expect(await list(token)).toEqual([owned.ref]);
  });

  test('an operator without memberships sees none, an administrator sees all', async () => {
    const stranger = await console.addOperator();
    expect(await list(await console.signIn(stranger.email, stranger.password))).toEqual([]);
    const admin = await console.signIn(console.admin.email, console.admin.password);
    expect(await list(admin, '?limit=1000')).toEqual(
      expect.arrayContaining([owned.ref, neighbor.ref]),
    );
  });

  test('is searched by part of the ref or name, taken literally', async () => {
    expect(await list(owner, `?search=${owned.ref.toUpperCase().slice(2)}`)).toEqual([owned.ref]);
    expect(await list(owner, '?search=%25')).toEqual([]);
  });

  test('comes in pages that together are the whole', async () => {
    const whole = await list(owner, '?limit=200');
    const paged: string[] = [];
    let after: string | null = '';
    while (after !== null) {
      const query: string = `?limit=2${after === '' ? '' : `&after=${after}`}`;
      const reply = await console.call('GET', `/platform/projects${query}`, { token: owner });
      paged.push(...reply.body.projects.map(({ ref }: { ref: string }) => ref));
      after = reply.body.next;
    }
    expect(paged).toEqual(whole);
  });

  test.each(['0', '1001', 'x', '1.5'])('a limit of %s is refused', async (limit) => {
    const reply = await console.call('GET', `/platform/projects?limit=${limit}`, { token: owner });
    expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } });
  });
});

describe('one project', () => {
  test('is shown with what the operator may do', async () => {
    const reply = await console.call('GET', path(), { token: viewer });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        ref: owned.ref,
        url: `http://${owned.ref}.localhost`,
        capabilities: ['content.read'],
      },
    });
    expect(reply.text).not.toMatch(/sealed|password|hash/i);
  });

  test('is renamed', async () => {
    const reply = await console.call('PATCH', path(), { token: owner, body: { name: 'New name' } });
    expect(reply).toMatchObject({ status: 200, body: { ref: owned.ref, name: 'New name' } });
    const record = await getProjectRecord(console.fixture.context, owned.ref);
    expect(record?.name).toBe('New name');
    expect(lastPublished()).toEqual({
      topic: `project.${owned.ref}`,
      data: { kind: 'record', version: record?.version },
    });
  });

  test('is paused and resumed, and the others hear of it', async () => {
    const before = await getProjectRecord(console.fixture.context, owned.ref);
    expect(await console.call('POST', path('/pause'), { token: owner })).toMatchObject({
      status: 200,
      body: { status: 'paused' },
    });
    const paused = await getProjectRecord(console.fixture.context, owned.ref);
    expect(paused?.status).toBe('paused');
    expect(paused?.version).toBeGreaterThan(before?.version ?? Infinity);
    expect(lastPublished()).toMatchObject({ data: { version: paused?.version } });
    await console.call('POST', path('/resume'), { token: owner });
    const resumed = await getProjectRecord(console.fixture.context, owned.ref);
    expect(resumed?.status).toBe('active');
    expect(resumed?.version).toBeGreaterThan(paused?.version ?? Infinity);
  });

  test('tells how it is', async () => {
    const reply = await console.call('GET', path('/status'), { token: viewer });
    expect(reply).toMatchObject({
      status: 200,
      body: {
        ref: owned.ref,
        status: 'active',
        users: 0,
        connections: { open: 0, active: 0 },
        migrations: { isCurrent: true },
      },
    });
    expect(reply.body.databaseBytes).toBeGreaterThan(1_000_000);
    expect(reply.body.migrations.applied).toBeGreaterThan(5);
  });

  test.each([
    { name: 'no ref', typed: {} },
    { name: 'another ref', typed: { ref: 'other' } },
    { name: 'the ref in capitals', typed: { ref: 'UPPER' } },
  ])('is not deleted with $name typed', async ({ typed }) => {
    const body = typed.ref === 'UPPER' ? { ref: owned.ref.toUpperCase() } : typed;
    const reply = await console.call('DELETE', path(), { token: owner, body });
    expect(reply).toMatchObject({ status: 400, body: { code: 'REF_NOT_CONFIRMED' } });
    expect(await tracesOf(console.fixture, owned.ref)).toContain('project row active');
  });

  test.each(['body', 'query'] as const)(
    'is deleted with the ref typed in the %s',
    async (place) => {
      const { body } = await create(owner, { name: 'x' });
      const ref = String(body.ref);
      const target = `/platform/projects/${ref}`;
      const reply =
        place === 'body'
          ? await console.call('DELETE', `${target}?now=true`, { token: owner, body: { ref } })
          : await console.call('DELETE', `${target}?ref=${ref}&now=true`, { token: owner });
      expect(reply.status).toBe(204);
      expect(await tracesOf(console.fixture, ref)).toEqual([]);
      expect(await console.call('GET', target, { token: owner })).toMatchObject({ status: 404 });
    },
  );
});

test('a refused change is not written, not announced and not in the audit log', async () => {
  const count = async (): Promise<unknown> => {
    const rows: { n: number }[] = await console.fixture.controlPlane.dataSource.query(
      'select count(*)::int as n from audit_entry',
    );
    return [rows[0]?.n, console.fixture.published.length];
  };
  const before = await count();
  const attempts = [
    console.call('PATCH', path(), { token: viewer, body: { name: 'x' } }),
    console.call('POST', path('/pause'), { token: developer }),
    console.call('POST', path('/domains'), { token: owner, body: { domain: 'x.rows.test' } }),
    console.call('DELETE', path(), { token: owner, body: { ref: 'x' } }),
  ];
  for (const { status } of await Promise.all(attempts)) expect(status).toBeGreaterThanOrEqual(400);
  expect(await count()).toEqual(before);
});
