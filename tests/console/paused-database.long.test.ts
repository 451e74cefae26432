// A paused project admits no direct connection of its owner.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alignAll, repairChangedLogins, setProjectStatus } from '#libs/control-plane';
import { Client } from 'pg';

import { withClient } from '../support/test-server.js';
import { databaseIdOf, type ControlPlaneFixture, openFixture } from './control-plane-fixture.js';
import { asSuperuser } from '../support/deployment.js';

let fixture: ControlPlaneFixture;
beforeAll(async () => {
  fixture = await openFixture();
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);

async function newProject() {
  const { ref, url } = await fixture.newProject();
  const set = (status: 'active' | 'paused') =>
    setProjectStatus(fixture.context, fixture.actor, { ref, status });
  const isRefused = () =>
    expect(withClient(url, async () => undefined)).rejects.toMatchObject({ code: '28000' });
  return { ref, url, set, isRefused };
}

const failIfAny = (_ref: string, error: unknown) => {
  throw error;
};

test('a pause ends connections of the owner and admits none; resuming admits them again', async () => {
  const { url, set, isRefused } = await newProject();
  const open = new Client({ connectionString: url });
  open.on('error', () => undefined);
  const ended = new Promise((resolve) => open.once('end', resolve));
  await open.connect();
  await set('paused');
  await ended;
  await isRefused();
  await set('active');
  await withClient(url, (client) => client.query('create table t (id int)'));
});

test('an owner who holds the login locked does not keep the pause from happening', async () => {
  const { url, set, isRefused } = await newProject();
  const holder = new Client({ connectionString: url });
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query(`begin; alter role current_user password 'changed'`);
  await set('paused');
  await isRefused();
  await expect(holder.query('commit')).rejects.toThrow();
});

test('a pause ends sessions of a login whose password the project has changed', async () => {
  const { ref, url, set } = await newProject();
  const signal = new AbortController().signal;
  await repairChangedLogins(fixture.context, { signal, onFailure: failIfAny });
  const login = `${await databaseIdOf(fixture, ref)}_api`;
  await asSuperuser(`alter role ${login} password 'changed'`);
  const address = new URL(fixture.databaseUrl);
  address.pathname = new URL(url).pathname;
  address.username = login;
  address.password = 'changed';
  const open = new Client({ connectionString: address.href });
  open.on('error', () => undefined);
  const ended = new Promise((resolve) => open.once('end', resolve));
  await open.connect();
  await set('paused');
  await ended;
});

test('repairs of logins do not admit the owner', async () => {
  const { ref, set, isRefused } = await newProject();
  await set('paused');
  await fixture.context.dataSource.query(
    `update project set login_digest = 'another' where ref = $1`,
    [ref],
  );
  const signal = new AbortController().signal;
  const { restored } = await repairChangedLogins(fixture.context, { signal, onFailure: failIfAny });
  expect(restored).toEqual([ref]);
  expect(await alignAll(fixture.context, failIfAny)).toEqual([]);
  await isRefused();
});

test('the worker aligns a database that a crash left open or closed', async () => {
  const { ref, url, isRefused } = await newProject();
  const mark = (status: string) =>
    fixture.context.dataSource.query('update project set status = $2 where ref = $1', [
      ref,
      status,
    ]);
  await mark('paused');
  expect(await alignAll(fixture.context, failIfAny)).toEqual([ref]);
  await isRefused();
  await mark('active');
  expect(await alignAll(fixture.context, failIfAny)).toEqual([ref]);
  await withClient(url, async () => undefined);
  expect(await alignAll(fixture.context, failIfAny)).toEqual([]);
});
