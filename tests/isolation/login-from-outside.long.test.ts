// Code of a project can set the password of the login that runs it. Over TCP the embedded server accepts the logins of
// owners alone. On a server that accepts the changed login, the connections of its limit are all that it gains.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pg from 'pg';

import { Deployment } from '../support/deployment.js';
import { openOwnServer, type OwnServer } from '../support/own-server.js';
import type { ProjectUnderTest } from '../support/project.js';

/** SQLSTATE invalid_authorization_specification: the rules refuse the connection before any password is checked. */
const refusedByRules = '28000';

/** Returns the SQLSTATE with which the server refuses a login; undefined if it accepts it. */
async function refusalOf(url: string, user: string, password: string): Promise<string | undefined> {
  const target = Object.assign(new URL(url), { username: user, password });
  const client = new pg.Client({ connectionString: target.href });
  try {
    await client.connect();
    await client.end();
    return undefined;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error.code;
    throw error;
  }
}

/** The rules of a server whose operator has written none about the platform. */
const everyLogin = `
local all all scram-sha-256
host all all all scram-sha-256
`;

/** A function with which the owner of a project sets the password of the login that runs it. */
const takeLogin = `create function take_login() returns text language plpgsql as $$begin
  reset role; alter role current_user password 'stolen'; return current_user; end $$`;

async function callTakeLogin(project: ProjectUnderTest): Promise<unknown> {
  await project.sql(takeLogin);
  const path = '/rest/v1/rpc/take_login';
  return (await project.asService({ method: 'POST', path, body: {} })).body;
}

describe('on the embedded server', () => {
  let server: OwnServer;
  let deployment: Deployment;
  let project: ProjectUnderTest;
  beforeAll(async () => {
    server = await openOwnServer();
    // No worker restores the passwords meanwhile.
    deployment = await Deployment.open({ databaseUrl: server.url, env: { ROLES: 'api,console' } });
    project = await deployment.createProject();
  }, 60_000);
  afterAll(async () => {
    await deployment.close();
    await server[Symbol.asyncDispose]();
  }, 60_000);

  test('a function that takes the login of requests opens no connection from outside', async () => {
    const login = project.login('api');
    expect(await callTakeLogin(project)).toBe(login);
    expect(await refusalOf(project.databaseUrl, login, 'stolen')).toBe(refusedByRules);
    // The password is changed: the socket, which the project cannot reach, accepts it.
    const overSocket = new URL(server.url);
    overSocket.pathname = `/${project.database}`;
    expect(await refusalOf(overSocket.href, login, 'stolen')).toBeUndefined();
  });

  describe('over TCP', () => {
    const address = (): string => {
      const url = new URL(project.databaseUrl);
      expect(url.search).toBe('');
      return url.href;
    };

    test('the owner connects with its connection string', async () => {
      const { username, password } = new URL(project.databaseUrl);
      expect(await refusalOf(address(), username, password)).toBeUndefined();
    });

    test.each(['editor', 'api', 'engine', 'platform', 'deleter', 'lab'] as const)(
      'the login %s of a project is refused',
      async (kind) => {
        expect(await refusalOf(address(), project.login(kind), 'any')).toBe(refusedByRules);
      },
    );

    test('the superuser is refused with its own password', async () => {
      const { username, password } = new URL(server.url);
      expect(await refusalOf(address(), username, password)).toBe(refusedByRules);
    });

    test.each(['anon', 'platform_engine', 'p_owner_', 'x_owner2'])(
      'a role that belongs to no owner, %s, is refused',
      async (name) => {
        expect(await refusalOf(address(), name, 'any')).toBe(refusedByRules);
      },
    );
  });
});

describe('on a server with the lines of docs/production.md', () => {
  let server: OwnServer;
  let deployment: Deployment;
  let project: ProjectUnderTest;
  beforeAll(async () => {
    const page = await readFile('docs/production.md', 'utf8');
    const [, lines = ''] = /```text\n((?:host .*\n){2})```/.exec(page) ?? [];
    expect(lines).toContain('reject');
    server = await openOwnServer({ rules: `${lines}${everyLogin}` });
    // The test is no machine of the network in the lines, so the platform connects over the socket.
    deployment = await Deployment.open({ databaseUrl: server.url, env: { ROLES: 'api,console' } });
    project = await deployment.createProject();
  }, 60_000);
  afterAll(async () => {
    await deployment.close();
    await server[Symbol.asyncDispose]();
  }, 60_000);

  test.each(['editor', 'api', 'engine', 'platform', 'deleter', 'lab'] as const)(
    'the login %s of a project is refused from elsewhere',
    async (kind) => {
      const refusal = await refusalOf(project.databaseUrl, project.login(kind), 'any');
      expect(refusal).toBe(refusedByRules);
    },
  );

  test('owners and the superuser connect with their passwords', async () => {
    for (const url of [new URL(project.databaseUrl), new URL(server.url)]) {
      const { username, password } = url;
      expect(await refusalOf(project.databaseUrl, username, password)).toBeUndefined();
    }
  });
});

describe('on a server that accepts all logins over TCP', () => {
  const hostileProjects = 3;
  const open: pg.Client[] = [];
  let server: OwnServer;
  let deployment: Deployment;
  beforeAll(async () => {
    const settings = { max_connections: '100', reserved_connections: '40' };
    server = await openOwnServer({ rules: everyLogin, settings });
    deployment = await Deployment.open({ databaseUrl: server.url, env: { ROLES: 'api,console' } });
  }, 60_000);
  afterAll(async () => {
    await Promise.all(open.map((client) => client.end()));
    await deployment.close();
    await server[Symbol.asyncDispose]();
  }, 60_000);

  /** Opens connections with the login of requests until one is refused. Returns how many were accepted. */
  async function takeConnections(project: ProjectUnderTest): Promise<number> {
    const url = Object.assign(new URL(project.databaseUrl), {
      username: project.login('api'),
      password: 'stolen',
    });
    for (let count = 0; ; count += 1) {
      const client = new pg.Client({ connectionString: url.href });
      client.on('error', () => undefined);
      try {
        await client.connect();
        open.push(client);
      } catch (error) {
        expect(error).toMatchObject({ code: '53300' });
        return count;
      }
    }
  }

  test('a login that was taken opens no more connections than its limit, and a neighbor is served', async () => {
    const neighbor = await deployment.createProject();
    for (let number = 0; number < hostileProjects; number += 1) {
      const project = await deployment.createProject();
      expect(await callTakeLogin(project)).toBe(project.login('api'));
      const taken = await takeConnections(project);
      expect(taken).toBeGreaterThan(0);
      expect(taken).toBeLessThanOrEqual(16);
    }
    // Its first request needs a new connection.
    expect((await neighbor.asService({ path: '/rest/v1/' })).status).toBe(200);
  });
});
