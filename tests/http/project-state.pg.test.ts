// The state of a project and what is built from it are replaced in one step, whatever happens during the building.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type ProjectRuntime, reloadSettings } from '#libs/project-runtime';

import { asSuperuser, Deployment } from '../support/deployment.js';
import type { ProjectUnderTest } from '../support/project.js';
import { openUploadServer, type UploadServer } from '../storage/uploads-runtime.js';

const stalledMs = 10_000;

let deployment: Deployment;
let server: UploadServer;
let runtime: ProjectRuntime;
let database: string;
let project: ProjectUnderTest;

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  ({ database } = project);
  server = await openUploadServer(deployment, project, stalledMs);
  ({ runtime } = server);
});
afterAll(async () => {
  await server.close();
  await deployment.close();
});

const withMaxRows = (maxRows: number) => runtime.settings.decode('api.rest', { maxRows }).next;
const maxRows = () => runtime.settings.get('api.rest').maxRows;

/** A part that is built when `open` is called, and counts what happens to its instances. */
function gatedPart() {
  const counts = { swaps: 0, discards: 0 };
  let open = () => {};
  const gate = new Promise<void>((resolve) => (open = resolve));
  const prepare = async () => {
    await gate;
    return {
      swap: () => void (counts.swaps += 1),
      discard: async () => void (counts.discards += 1),
    };
  };
  return {
    counts,
    open,
    part: {
      kind: 'storage',
      isBuilt: true,
      isStale: false,
      prepare,
      rebuildSoon: () => undefined,
    } as const,
  };
}

test('a record that changes during the building is part of the state that takes its place', async () => {
  const { part, open, counts } = gatedPart();
  const { record } = runtime;
  const preparing = runtime.prepare(withMaxRows(7), [part]);
  const domain = `${record.ref}.example.org`;
  runtime.updateRecord({ ...record, version: record.version + 1, domains: [domain] });
  open();
  const candidate = await preparing;
  expect(maxRows()).not.toBe(7);
  candidate.swap();
  expect(maxRows()).toBe(7);
  expect(counts).toEqual({ swaps: 1, discards: 0 });
  expect(runtime.record.version).toBe(record.version + 1);
  expect(runtime.rules.ownOriginAt(domain)).toBeDefined();
});

test('when one part cannot be built, those that were are discarded and the state stays', async () => {
  const { part, open, counts } = gatedPart();
  const refusing = { ...part, prepare: () => Promise.reject(new Error('this part refuses')) };
  const { settings, rules, guards } = runtime;
  open();
  const preparing = runtime.prepare(withMaxRows(8), [part, refusing]);
  await expect(preparing).rejects.toThrow('this part refuses');
  expect(counts).toEqual({ swaps: 0, discards: 1 });
  expect(runtime.settings).toBe(settings);
  expect(runtime.rules).toBe(rules);
  expect(runtime.guards).toBe(guards);
});

test('an engine that is first used during the building is built again after the swap', async () => {
  expect(runtime.auth.isBuilt).toBe(false);
  const { part, open } = gatedPart();
  const preparing = runtime.prepare(withMaxRows(9), [part]);
  using early = await runtime.auth.acquire();
  open();
  (await preparing).swap();
  // Rebuilding takes time, in which the early engine serves on.
  await expect
    .poll(
      async () => {
        using now = await runtime.auth.acquire();
        return now.value === early.value;
      },
      { timeout: 10_000 },
    )
    .toBe(false);
});

describe('a decision about the mail server of the deployment', () => {
  let mailing: UploadServer;
  beforeAll(async () => {
    const env = { SMTP_HOST: 'mail.example.org', SMTP_FROM: 'shop@example.org' };
    mailing = await openUploadServer(deployment, project, stalledMs, env);
  });
  afterAll(() => mailing.close());

  const decide = (sharedMailServer: boolean) => {
    const { record } = mailing.runtime;
    const version = record.version + 1;
    return mailing.runtime.updateRecord({ ...record, version, sharedMailServer });
  };
  const mailHost = () => mailing.runtime.settings.get('email.smtp').host;

  test('takes effect without opening the project again', () => {
    expect(mailHost()).toBe('mail.example.org');
    expect(decide(false)).toBe(true);
    expect(mailHost()).toBeUndefined();
    expect(decide(true)).toBe(true);
    expect(mailHost()).toBe('mail.example.org');
  });

  test('holds for settings that were being built when it came', async () => {
    const { part, open } = gatedPart();
    const { next } = mailing.runtime.settings.decode('api.rest', { maxRows: 6 });
    const preparing = mailing.runtime.prepare(next, [part]);
    decide(false);
    open();
    (await preparing).swap();
    expect(mailing.runtime.settings.get('api.rest').maxRows).toBe(6);
    expect(mailHost()).toBeUndefined();
  });
});

describe('of what another process has saved, a reload', () => {
  const save = (group: string, body: object) =>
    project.asService({ method: 'PUT', path: `/api/admin/settings/${group}`, body });

  /** The engine and the places of files in use, before and after a save of another process was put in force. */
  async function partsAround(group: string, body: object) {
    await reloadSettings(runtime);
    using engine = await runtime.auth.acquire();
    using files = await runtime.files.acquire();
    const { settings } = runtime;
    expect((await save(group, body)).status).toBe(200);
    await reloadSettings(runtime);
    expect(runtime.settings).not.toBe(settings);
    using nextEngine = await runtime.auth.acquire();
    using nextFiles = await runtime.files.acquire();
    return {
      isEngineKept: nextEngine.value === engine.value,
      areFilesKept: nextFiles.value === files.value,
    };
  }

  test.each([
    { group: 'api.rest', body: { maxRows: 12 }, isEngineKept: true, areFilesKept: true },
    { group: 'auth.signup', body: { enabled: false }, isEngineKept: false, areFilesKept: true },
    { group: 'storage', body: { maxUploadBytes: 4096 }, isEngineKept: true, areFilesKept: false },
  ])('rebuilds what $group asks for', async ({ group, body, ...expected }) => {
    expect(await partsAround(group, body)).toEqual(expected);
  });
});

test('settings of the same version are not put in force again', async () => {
  await reloadSettings(runtime);
  const { settings } = runtime;
  await reloadSettings(runtime);
  expect(runtime.settings).toBe(settings);
  await asSuperuser('update platform.settings_version set version = version + 1', { database });
  await reloadSettings(runtime);
  expect(runtime.settings).not.toBe(settings);
});
