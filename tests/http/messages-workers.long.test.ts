// Messages with several workers, and with a store of jobs that goes away.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

import { afterAll, afterEach, expect, vi, test } from 'vitest';

import { freePort, testIf, waitFor } from '#libs/testing';

import { closeAll, openInbox } from '../delivery/open-inbox.js';
import { Deployment } from '../support/deployment.js';
import { openMailServer } from '../support/mail-server.js';
import type { ProjectUnderTest } from '../support/project.js';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});
afterAll(closeAll);

async function openProject(access: Readonly<Record<string, unknown>>, deployment: Deployment) {
  const project = await deployment.createProject();
  const groups = { 'email.smtp': access, 'auth.urls': { siteUrl: 'https://app.example.com' } };
  for (const [group, body] of Object.entries(groups)) {
    const path = `/api/admin/settings/${group}`;
    const reply = await project.asService({ method: 'PUT', path, body });
    if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
  }
  return project;
}

async function askForLink(project: ProjectUnderTest, email: string): Promise<void> {
  const path = '/api/auth/sign-in/magic-link';
  const reply = await project.send({ method: 'POST', path, body: { email } });
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`);
}

test('two workers send each mail once, and two of a project at a time', async () => {
  const arrived: string[] = [];
  let sending = 0;
  let mostAtOnce = 0;
  const { access } = await openInbox({
    onData(stream, session, done) {
      mostAtOnce = Math.max(mostAtOnce, (sending += 1));
      stream.resume();
      stream.on('end', () => {
        arrived.push(...session.envelope.rcptTo.map(({ address }) => address));
        // Long enough for others to begin.
        setTimeout(() => {
          sending -= 1;
          done();
        }, 60);
      });
    },
  });
  const env = { OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${access.port}` };
  const deployment = await Deployment.open({ env });
  endings.push(() => deployment.close());
  const other = await Deployment.open({ env }, deployment);
  endings.push(() => other.stop());
  const project = await openProject(access, deployment);
  const addresses = Array.from({ length: 20 }, (_, index) => `user${index}@example.org`);
  await Promise.all(
    addresses.map((email, index) =>
      askForLink(index % 2 === 0 ? project : project.through(other.apiOrigin), email),
    ),
  );
  await waitFor(() => new Set(arrived).size === addresses.length, { ms: 30_000 });
  expect(arrived.toSorted()).toEqual(addresses.toSorted());
  expect(mostAtOnce).toBe(2);
});

testIf(hasRedis, 'no redis-server on this machine (package redis-server)')(
  'mails asked for while the store of jobs is away are sent when it is back',
  async () => {
    const port = await freePort();
    let redis = await startRedis(port);
    endings.push(() => stopRedis(redis));
    const mailServer = await openMailServer();
    endings.push(() => mailServer.close());
    const deployment = await Deployment.open({
      env: {
        OUTBOUND_ALLOWED_HOSTS: `127.0.0.1:${mailServer.port}`,
        REDIS_URL: `redis://127.0.0.1:${port}`,
      },
    });
    endings.push(() => deployment.close());
    const project = await openProject(mailServer.settings, deployment);
    await askForLink(project, 'before@example.org');
    await mailServer.waitForMail('before@example.org');
    await stopRedis(redis);
    await askForLink(project, 'during@example.org');
    expect(mailServer.mailsTo('during@example.org')).toEqual([]);
    redis = await startRedis(port);
    await waitFor(() => mailServer.mailsTo('during@example.org').length > 0, { ms: 90_000 });
    expect(mailServer.mailsTo('during@example.org')).toHaveLength(1);
  },
);

async function startRedis(port: number): Promise<ChildProcess> {
  const redis = spawn('redis-server', [
    '--port',
    String(port),
    '--save',
    '',
    '--bind',
    '127.0.0.1',
  ]);
  for await (const line of redis.stdout) if (String(line).includes('Ready to accept')) break;
  return redis;
}

async function stopRedis(redis: ChildProcess): Promise<void> {
  if (redis.exitCode !== null || redis.signalCode !== null) return;
  redis.kill('SIGKILL');
  await once(redis, 'exit');
}
