// A pause ends the owner's connections and admits none; a deletion keeps the project until its undo period is over.
import pg from 'pg';

import { timeUntil } from '#libs/testing';
import { asRecord } from '../../support/deployment.js';
import type { ProjectUnderTest } from '../../support/project.js';
import { Findings, type Outcome, type Trial, type TrialCase } from '../case.js';
import { shownMs } from '../figures.js';

const limitMs = 10_000;
const dayMs = 24 * 60 * 60_000;
const undoDays = 7;

export const pauseAndUndo: TrialCase = { name: 'pause-and-undo', run };

async function run(trial: Trial): Promise<Outcome> {
  const { deployment } = trial;
  const found = new Findings();
  const project = await deployment.createProject('undone');
  await project.sql('create table notes (id int); insert into notes values (1)');
  const change = (method: string, rest: string) =>
    deployment.console({
      method,
      path: `/platform/projects/${project.ref}${rest}`,
      body: { ref: project.ref },
    });
  const owner = new pg.Client({ connectionString: project.databaseUrl });
  owner.on('error', () => undefined);
  let isEnded = false;
  owner.on('end', () => (isEnded = true));
  await owner.connect();
  await change('POST', '/pause');
  const endedMs = await timeUntil(() => Promise.resolve(isEnded), {
    ms: limitMs,
    until: "the owner's connection ends",
  });
  found.check(!(await canConnect(project)), 'the owner of a paused project can connect');
  await change('POST', '/resume');
  found.check(await canConnect(project), 'the owner cannot connect after the pause');
  const deleted = await change('DELETE', '');
  found.check(deleted.status < 300, `the deletion was answered ${deleted.status} ${deleted.text}`);
  await timeUntil(async () => (await read(project)) === 404, { ms: limitMs, until: 'it is gone' });
  const { body } = await deployment.console({ path: `/platform/projects/${project.ref}` });
  const days = (new Date(String(asRecord(body)['deleteAt'])).getTime() - Date.now()) / dayMs;
  found.check(Math.abs(days - undoDays) < 0.1, `it is deleted for good in ${days} days`);
  const restored = await change('POST', '/restore');
  found.check(restored.status < 300, `its restoration: ${restored.status} ${restored.text}`);
  const backMs = await timeUntil(async () => (await read(project)) === 200, {
    ms: 2 * limitMs,
    until: 'the restored project answers',
  });
  await deployment.requestDeletion(project.ref);
  return found.outcome(
    `pause ended a connection after ${shownMs(endedMs)}; deletion in ${days.toFixed(1)} days, undone after ${shownMs(backMs)}`,
  );
}

async function read(project: ProjectUnderTest): Promise<number> {
  return (await project.asService({ path: '/rest/v1/notes' })).status;
}

async function canConnect({ databaseUrl }: ProjectUnderTest): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    // The login may not connect now.
    if (Reflect.get(Object(error), 'code') === '28000') return false;
    throw error;
  } finally {
    await client.end();
  }
}
