// What users of a project see while `rowhouse upgrade` upgrades it with a snapshot, and its neighbors.
import {
  type ControlPlane,
  openControlPlane,
  projectsContext,
  type ProjectsContext,
  upgradeProject,
} from '#libs/control-plane';
import { type JobStore, openSignalBus, type SignalBus } from '#libs/jobs';
import { waitFor } from '#libs/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { asRecord, Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { type NextRelease, nextRelease } from './next-release.js';

let deployment: Deployment;
let next: NextRelease;
let controlPlane: ControlPlane;
let bus: SignalBus;
let context: ProjectsContext;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.open();
  [project, neighbor] = [await withRows(), await withRows()];
  next = await nextRelease({ 'project/0990_more': 'create table platform.more (id int)' });
  const { databaseName, masterKey, dataDir } = deployment.ground;
  const { migrationsRoot } = next;
  controlPlane = await openControlPlane({
    databaseUrl: testDatabaseUrl(),
    databaseName,
    masterKey,
    dataDir,
    migrationsRoot,
    holdsUpgrades: true,
    reservedRefs: [],
  });
  const url = new URL(testDatabaseUrl());
  url.pathname = `/${databaseName}`;
  const store: JobStore = { kind: 'postgres', url: url.href };
  bus = await openSignalBus(store, () => undefined);
  context = projectsContext(controlPlane, (topic, data) => bus.publish(topic, data));
}, 120_000);
afterAll(async () => {
  await bus.close();
  await controlPlane.close();
  await deployment.close();
  await next.remove();
}, 60_000);

async function withRows(): Promise<ProjectUnderTest> {
  const made = await deployment.createProject();
  await made.sql('create table notes (id int primary key)');
  return made;
}

/** Writes rows one after the other until `isOver`, and returns what each write was answered. */
async function write(to: ProjectUnderTest, isOver: () => boolean): Promise<string[]> {
  const answers: string[] = [];
  for (let id = 1; !isOver() || id <= 3; id += 1) {
    const reply = await to.asService({ method: 'POST', path: '/rest/v1/notes', body: { id } });
    answers.push(
      reply.status === 201 ? '201' : `${reply.status} ${String(asRecord(reply.body)['code'])}`,
    );
  }
  return answers;
}

test('writes are done or answered with 503, none is lost, and neighbors notice nothing', async () => {
  let isOver = false;
  const writers = [write(project, () => isOver), write(neighbor, () => isOver)];
  await waitFor(async () => (await project.sql('select from notes')).length > 0);
  const result = await upgradeProject(context, project.ref, { withSnapshot: true });
  expect(result).toMatchObject({ outcome: 'upgraded' });
  await waitFor(async () => (await project.asService({ path: '/rest/v1/notes' })).status === 200);
  isOver = true;
  const [own = [], others = []] = await Promise.all(writers);
  const kinds = new Set(own);
  for (const answer of ['201', '503 PROJECT_UPGRADING', '503 DATABASE_UNAVAILABLE'])
    kinds.delete(answer);
  expect([...kinds]).toEqual([]);
  expect(own).toContain('503 PROJECT_UPGRADING');
  expect(new Set(others)).toEqual(new Set(['201']));
  const stored = await project.sql('select from notes');
  // A write whose connection ended may have been committed before.
  expect(stored.length).toBeGreaterThanOrEqual(own.filter((answer) => answer === '201').length);
}, 60_000);
