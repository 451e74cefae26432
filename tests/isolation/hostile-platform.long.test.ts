// The owner of a project has planted functions, operators, casts and types of the names that statements of the platform
// use, and code that leaves temporary ones and a search path in every session where it runs. Every route of a project
// answers as it should, its sweep does its work, and no role of the platform calls anything of the owner's.
//
// Operators: each statement that a route sends to a session of callers, where code of the owner runs as well, names them
// with the schema; here their texts are read. All others are in sessions whose search path holds nothing of the owner.
// For their operators there is no rule about texts, and the calls are the proof.
import { getProjectRecord, openControlPlane, projectsContext } from '#libs/control-plane';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { pino } from 'pino';

import { parseEnv } from '../../bin/env.js';
import { workerDeployment } from '../../bin/worker-deployment.js';
import { withProjectDatabase } from '#libs/database';
import { findDue, sweepProject } from '#apps/worker';
import { lookupTextFor } from '../../libs/database/src/lookup-texts.js';
import { TableLane } from '../../libs/database/src/table-lane.js';
import { accountRuns, isOfAccounts } from '../openapi/accounts/runs.js';
import { openAccountWorld } from '../openapi/accounts/world.js';
import type { Contract } from '../openapi/contract.js';
import { isOfProject, projectRuns } from '../openapi/projects/runs.js';
import { openProjectWorld } from '../openapi/projects/world.js';
import { dueWork, nothingDue } from '../start/due-work.js';
import { callsOf, plant, type PlantedCall } from '../storage/hostile-names.js';
import { asSuperuser, type Deployment, testDatabaseUrl } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { foundByPath, operatorsOfProject } from '../support/sql-operators.js';
import { setTraps } from './session-traps.js';
import { useChannels } from './use-channels.js';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

interface World {
  readonly project: ProjectUnderTest;
  readonly contract: Contract;
  close(): Promise<void>;
}

interface Tried<W extends World> {
  open(): Promise<W>;
  readonly runs: readonly { readonly name: string; readonly run: (world: W) => Promise<void> }[];
  readonly isMine: (where: string) => boolean;
  /** The hooks of the project that call a function of it. */
  readonly hooks: readonly string[];
  readonly afterwards?: (
    current: () => { readonly world: W; readonly texts: readonly string[] },
  ) => void;
}

/** Whether a statement reads or writes more than tables of the project. */
const isOfPlatform = (text: string): boolean => /\b(?:storage|auth|platform)\./.test(text);
const callerRoles: readonly string[] = ['anon', 'authenticated', 'service_role'];

/**
 * All calls but those of the owner and one more: in a batch, code of the project runs between two statements on its own
 * tables, so that an operator over its values may be found by the path which that code has left. The role is that of the
 * caller, as in the code.
 */
async function strangeCalls(project: ProjectUnderTest) {
  const isKnown = ({ who, what, query }: PlantedCall): boolean =>
    who === project.login('owner') ||
    (callerRoles.includes(who) && operatorsOfProject.has(what) && !isOfPlatform(query));
  return (await callsOf(project)).filter((call) => !isKnown(call));
}

function inHostileProject<W extends World>(title: string, tried: Tried<W>): void {
  describe(title, () => {
    let world: W;
    let texts: { readonly found: Set<string>; readonly stop: () => void };
    beforeAll(async () => {
      world = await tried.open();
      await plant(world.project);
      await setTraps(world.project, tried.hooks);
      texts = watchCallers();
    });
    afterAll(async () => {
      texts.stop();
      await world.close();
    });

    test.each(tried.runs)('$name', ({ run }) => run(world));

    test('every route was tried', () => {
      expect(world.contract.untried(tried.isMine)).toEqual([]);
    });

    test('no role of the platform has called what was planted', async () => {
      expect(await strangeCalls(world.project)).toEqual([]);
    });

    tried.afterwards?.(() => ({ world, texts: [...texts.found] }));

    test('what was planted is called where names lead to it', async () => {
      await world.project
        .sql(`create function careless() returns pg_catalog.text language plpgsql as
        $$begin perform public.spoil(); return 'a'::text || now(); end$$`);
      const call = { method: 'POST', path: '/rest/v1/rpc/careless', body: {} };
      expect((await world.project.asService(call)).status).toBe(200);
      const calls = await strangeCalls(world.project);
      const careless = calls.filter(({ stack }) => stack.includes('careless'));
      expect(new Set(careless.map(({ what }) => what))).toEqual(new Set(['domain', 'now']));
    });
  });
}

/** Collects the texts that are sent to sessions of callers. */
function watchCallers() {
  const found = new Set<string>();
  const run: TableLane['run'] = Reflect.get(TableLane.prototype, 'run');
  TableLane.prototype.run = function (this: TableLane, request) {
    const lookup = Object.values(lookupTextFor(request.credential, 'text'));
    for (const { text } of [...lookup, ...request.queries]) found.add(text);
    return run.call(this, request);
  };
  return { found, stop: () => void (TableLane.prototype.run = run) };
}

inHostileProject('the routes of a project', {
  open: openProjectWorld,
  runs: [
    ...projectRuns,
    { name: 'requests with mistakes', run: tryMistakes },
    { name: 'sockets', run: ({ project }) => useChannels(project) },
  ],
  isMine: isOfProject,
  hooks: ['accessToken'],
  afterwards: (current) => {
    test('statements in sessions of callers name functions, types and operators with the schema', () => {
      const { texts } = current();
      expect(texts.some(isOfPlatform)).toBe(true);
      const problems = texts.flatMap((text) =>
        foundByPath(text, isOfPlatform(text) ? undefined : operatorsOfProject).map(
          (name) => `${name} in ${text}`,
        ),
      );
      expect(problems).toEqual([]);
    });

    test('its sweep does work of each kind', async () => {
      const { deployment, project } = current().world;
      const swept = await sweepEach(deployment, project);
      expect(new Set(swept)).toEqual(new Set(Object.keys(dueWork)));
      expect(await strangeCalls(project)).toEqual([]);
    });
  },
});

/** Their answers mention names only if the caller has a right on all of them, which takes a statement more. */
async function tryMistakes({ project }: World): Promise<void> {
  const statuses = [];
  for (const path of ['posts?select=nme', 'posts?select=titel,x(y)', 'rpc/planets_wth', 'pots'])
    statuses.push((await project.send({ path: `/rest/v1/${path}` })).status);
  expect(statuses).toEqual([400, 400, 404, 404]);
}

inHostileProject('the routes of accounts', {
  open: openAccountWorld,
  runs: accountRuns,
  isMine: isOfAccounts,
  hooks: ['accessToken', 'events'],
});

/** Sweeps a project once for each kind of work, and returns the kinds that were due. */
async function sweepEach(
  deployment: Deployment,
  project: ProjectUnderTest,
): Promise<readonly string[]> {
  const { databaseName, masterKey, dataDir } = deployment.ground;
  const databaseUrl = testDatabaseUrl();
  const controlPlane = await openControlPlane({
    databaseUrl,
    databaseName,
    masterKey,
    reservedRefs: [],
  });
  try {
    const projects = projectsContext(controlPlane, () => Promise.resolve());
    const record = await getProjectRecord(projects, project.ref);
    if (!record) throw new Error('the project is gone');
    const env = parseEnv({ DATA_DIR: dataDir });
    const log = pino({ level: 'silent' });
    const deployment = workerDeployment(env);
    const parts = { deployment, projects, log, signal: new AbortController().signal };
    const swept: string[] = [];
    const database = project.database;
    for (const { due } of Object.values(dueWork)) {
      await asSuperuser(`set search_path = pg_catalog; ${nothingDue}; ${due}`, { database });
      await asSuperuser('insert into public.followers select id from auth."user"', { database });
      await withProjectDatabase(record, async (db) => {
        swept.push(...(await findDue(deployment, project.ref, db)));
        await sweepProject(parts, record, db);
      });
    }
    return swept;
  } finally {
    await controlPlane.close();
  }
}
