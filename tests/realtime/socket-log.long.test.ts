// The lines of the log about sockets and joins that are refused.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { waitFor } from '#libs/testing';

import { openLog } from '../../bin/log.js';
import { asRecord, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openClient } from './realtime-client.js';

const lines: string[] = [];
let deployment: Deployment;
let project: ProjectUnderTest;
beforeAll(async () => {
  const log = openLog('info', { write: (line) => void lines.push(line) });
  deployment = await Deployment.open({ log });
  project = await deployment.createProject();
}, 60_000);
afterAll(() => deployment.close());

/** The lines about refused sockets that `act` causes; at least one. */
async function refusedBy(act: () => Promise<unknown>): Promise<readonly object[]> {
  const before = lines.length;
  await act();
  const found = () => lines.slice(before).map((line) => asRecord(JSON.parse(line)));
  const refused = () => found().filter(({ msg }) => msg === 'a socket was refused');
  await waitFor(() => refused().length > 0);
  return refused();
}

test('a connection that is refused has a line with its project and code, and not with its token', async () => {
  const apikey = 'svc_secret_of-nothing';
  const connect = () => openClient(project, { apikey });
  const refused = await refusedBy(() => expect(connect()).rejects.toThrow());
  expect(refused).toEqual([
    expect.objectContaining({ level: 30, project: project.ref, event: 'connect', status: 401 }),
  ]);
  expect(JSON.stringify(lines)).not.toContain(apikey);
});

test('a host without a project has a line without one', async () => {
  const nowhere = { ...project, host: 'nothing.localhost' } as ProjectUnderTest; // Only the host differs.
  const refused = await refusedBy(() => expect(openClient(nowhere)).rejects.toThrow());
  expect(refused).toEqual([
    expect.objectContaining({ event: 'connect', code: 'PROJECT_NOT_FOUND', status: 404 }),
  ]);
  expect(refused[0]).not.toHaveProperty('project');
});

test('a join that is refused has a line; a message that is refused has none', async () => {
  const client = await openClient(project);
  try {
    const refused = await refusedBy(async () => {
      await client.ask('rt:send', { topic: 'a room with a secret', event: 'e', payload: 1 });
      await client.ask('rt:join', { topic: 'a room with a secret', config: { private: true } });
    });
    expect(refused).toEqual([
      expect.objectContaining({ project: project.ref, event: 'rt:join', status: 403 }),
    ]);
    expect(JSON.stringify(lines)).not.toContain('a room with a secret');
  } finally {
    client.close();
  }
});
