import { expect, test } from 'vitest';

import { fail } from '#libs/errors';
import { ProjectRegistry } from './project-registry.js';
import type { ProjectRecord } from '#libs/database';

const login = { user: 'u', password: 'p' };

function recordOf(ref: string, changes: Partial<ProjectRecord> = {}): ProjectRecord {
  return {
    ref,
    name: ref,
    status: 'active',
    version: 1,
    idType: 'text',
    isAdministered: true,
    domains: [],
    database: {
      host: 'localhost',
      port: 1,
      name: `p_${ref}`,
      ssl: false,
      logins: {
        owner: login,
        editor: login,
        api: login,
        engine: login,
        deleter: login,
        lab: login,
      },
    },
    keys: { publishable: [], secret: [] },
    dataKey: Buffer.alloc(32),
    ...changes,
  };
}

class FakeProject {
  isClosed = false;
  constructor(public record: ProjectRecord) {}
  disconnect(): void {}
  updateRecord(record: ProjectRecord): boolean {
    this.record = record;
    return true;
  }
  reloads = 0;
  async close(): Promise<void> {
    this.isClosed = true;
  }
}

function street(
  records: ProjectRecord[],
  options: {
    maxLive?: number;
    defaultRef?: string;
    cannotReload?: string;
    /** Refs whose record cannot be read. */
    unreadable?: Set<string>;
    beforeOpen?: (ref: string) => Promise<void>;
  } = {},
) {
  const recordByRef = new Map(records.map((record) => [record.ref, record]));
  const opened: FakeProject[] = [];
  const noted: string[] = [];
  const failed: string[] = [];
  let lookups = 0;
  let clock = 0;
  const registry = new ProjectRegistry<FakeProject>({
    rootDomain: 'example.org',
    defaultRef: options.defaultRef,
    maxLive: options.maxLive ?? 10,
    drainMs: 50,
    findByRef: async (ref) => {
      lookups += 1;
      if (options.unreadable?.has(ref)) throw fail('PROJECT_SECRETS_UNREADABLE');
      return recordByRef.get(ref);
    },
    findByDomain: async (domain) => {
      lookups += 1;
      return [...recordByRef.values()].find((record) => record.domains.includes(domain));
    },
    noteUse: async (refs) => void noted.push(...refs),
    listVersions: async (refs) =>
      refs.flatMap((ref) => {
        const record = recordByRef.get(ref);
        return record ? [{ ref, version: record.version }] : [];
      }),
    open: async (record) => {
      await options.beforeOpen?.(record.ref);
      const project = new FakeProject(record);
      opened.push(project);
      return project;
    },
    reload: async (project) => {
      if (project.record.ref === options.cannotReload) throw new Error('not reloaded');
      project.reloads += 1;
    },
    now: () => clock,
    onError: (error, doing) => {
      if (!options.unreadable && options.cannotReload === undefined) throw error;
      failed.push(doing);
    },
  });
  return {
    registry,
    recordByRef,
    opened,
    noted,
    failed,
    lookups: () => lookups,
    wait: (ms: number) => {
      clock += ms;
    },
  };
}

test('200 cold requests open a project once', async () => {
  const { registry, opened } = street([recordOf('abc')]);
  const leases = await Promise.all(
    Array.from({ length: 200 }, () => registry.acquire('abc.example.org')),
  );
  expect(opened).toHaveLength(1);
  expect(registry.stats()).toEqual({ live: 1, leases: 200, draining: 0 });
  leases.forEach((lease) => lease.release());
  expect(registry.stats().leases).toBe(0);
});

test('of many cold projects a few open at once, in their order, and all answer', async () => {
  const records = Array.from({ length: 40 }, (_, index) => recordOf(`p${index}`));
  const begun: string[] = [];
  const held: (() => void)[] = [];
  const { registry } = street(records, {
    maxLive: 100,
    beforeOpen: async (ref) => {
      begun.push(ref);
      await new Promise<void>((resolve) => held.push(resolve));
    },
  });
  const asked = Promise.all(records.map(({ ref }) => registry.acquire(`${ref}.example.org`)));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  expect(begun).toEqual(records.slice(0, 8).map(({ ref }) => ref));
  while (held.length > 0) {
    for (const go of held.splice(0)) go();
    await turn();
    expect(held.length).toBeLessThanOrEqual(8);
  }
  expect((await asked).map((lease) => lease.value.record.ref)).toEqual(begun);
  expect(begun).toHaveLength(40);
});

test.each([
  { name: 'by its ref', host: 'abc.example.org', ref: 'abc' },
  { name: 'by its own domain', host: 'shop.test', ref: 'abc' },
  { name: 'not below another root', host: 'abc.example.com', ref: undefined },
  { name: 'not by two labels', host: 'x.abc.example.org', ref: undefined },
  { name: 'not by the root alone', host: 'example.org', ref: undefined },
])('a project is found $name', async ({ host, ref }) => {
  const { registry } = street([recordOf('abc', { domains: ['shop.test'] })]);
  if (ref === undefined) {
    await expect(registry.acquire(host)).rejects.toMatchObject({ code: 'PROJECT_NOT_FOUND' });
  } else {
    expect((await registry.acquire(host)).value.record.ref).toBe(ref);
  }
});

test('a name below the root domain that nobody has is not answered by the default project', async () => {
  const { registry } = street([recordOf('demo')], { defaultRef: 'demo' });
  await expect(registry.acquire('typo.example.org')).rejects.toMatchObject({ status: 404 });
  expect((await registry.acquire('example.org')).value.record.ref).toBe('demo');
});

test('an unknown host is looked up once in a while and leads to the default project if there is one', async () => {
  const without = street([recordOf('demo')]);
  for (let i = 0; i < 3; i += 1) {
    await expect(without.registry.acquire('nobody.test')).rejects.toMatchObject({ status: 404 });
  }
  expect(without.lookups()).toBe(1);

  const withDefault = street([recordOf('demo')], { defaultRef: 'demo' });
  expect((await withDefault.registry.acquire('localhost')).value.record.ref).toBe('demo');
  withDefault.recordByRef.set('abc', recordOf('abc', { domains: ['localhost'] }));
  withDefault.wait(11_000);
  expect((await withDefault.registry.acquire('localhost')).value.record.ref).toBe('abc');
});

test('a paused project is refused, and answers again after the signal that it was resumed', async () => {
  const { registry, recordByRef } = street([recordOf('abc', { status: 'paused' })]);
  await expect(registry.acquire('abc.example.org')).rejects.toMatchObject({
    code: 'PROJECT_PAUSED',
    status: 503,
  });
  recordByRef.set('abc', recordOf('abc', { version: 2 }));
  await registry.reload('abc');
  expect((await registry.acquire('abc.example.org')).value.record.version).toBe(2);
});

test('a lost signal is repaired by comparing versions', async () => {
  const { registry, recordByRef, opened } = street([recordOf('abc'), recordOf('def')]);
  (await registry.acquire('abc.example.org')).release();
  (await registry.acquire('def.example.org')).release();
  recordByRef.set('abc', recordOf('abc', { version: 2, domains: ['shop.test'] }));
  recordByRef.set('def', recordOf('def', { version: 2, status: 'paused' }));
  await registry.repair();
  expect(opened[0]?.record.domains).toEqual(['shop.test']);
  expect(registry.stats().live).toBe(1);
  recordByRef.delete('abc');
  await registry.repair();
  expect(registry.stats().live).toBe(0);
});

test('an evicted project closes when its last lease is back, and a new request opens it again', async () => {
  const { registry, opened } = street([recordOf('abc')]);
  const lease = await registry.acquire('abc.example.org');
  registry.evict('abc');
  expect(opened[0]?.isClosed).toBe(false);
  const next = await registry.acquire('abc.example.org');
  expect(next.value).not.toBe(lease.value);
  lease.release();
  await new Promise((resolve) => setImmediate(resolve));
  expect(opened.map((project) => project.isClosed)).toEqual([true, false]);
});

test('a lease that never comes back holds the drain up to its deadline only', async () => {
  const { registry, opened } = street([recordOf('abc')]);
  await registry.acquire('abc.example.org');
  await registry.close();
  expect(opened[0]?.isClosed).toBe(true);
  await expect(registry.acquire('abc.example.org')).rejects.toMatchObject({
    code: 'SHUTTING_DOWN',
  });
});

test('the least recently used project without leases makes room', async () => {
  const refs = ['one', 'two', 'six'];
  const { registry, wait } = street(
    refs.map((ref) => recordOf(ref)),
    { maxLive: 2 },
  );
  const held = await registry.acquire('one.example.org');
  wait(1);
  (await registry.acquire('two.example.org')).release();
  wait(1);
  (await registry.acquire('six.example.org')).release();
  expect(registry.listLive().map((project) => project.record.ref)).toEqual(['one', 'six']);
  held.release();
});

test('a repair visits the projects that were used since the last one', async () => {
  const { registry, opened, wait } = street([recordOf('abc'), recordOf('def')]);
  (await registry.acquire('abc.example.org')).release();
  (await registry.acquire('def.example.org')).release();
  wait(10);
  await registry.repair();
  wait(10);
  await registry.repair();
  (await registry.acquire('def.example.org')).release();
  wait(10);
  await registry.repair();
  expect(opened.map((project) => project.reloads)).toEqual([1, 2]);
});

test.each(['PROJECT_NEEDS_NEWER_RELEASE', 'PROJECT_NOT_UPGRADED', 'PROJECT_UPGRADING'] as const)(
  'a project with the refusal %s is not opened, and evicted when it is live',
  async (refusal) => {
    const record = recordOf('shop');
    const { registry, opened, recordByRef } = street([record]);
    (await registry.acquire('shop.example.org')).release();
    recordByRef.set('shop', { ...record, version: 2, refusal });
    await registry.reload('shop');
    const refused = { code: refusal, status: 503, retryAfterSeconds: 1 };
    await expect(registry.acquire('shop.example.org')).rejects.toMatchObject(refused);
    await expect(registry.acquire('shop.example.org')).rejects.toMatchObject(refused);
    expect(opened.map(({ isClosed }) => isClosed)).toEqual([true]);
    recordByRef.set('shop', { ...record, version: 3 });
    await registry.reload('shop');
    (await registry.acquire('shop.example.org')).release();
    await registry.close();
  },
);

test('a project that cannot be reloaded keeps no other from it', async () => {
  const records = [recordOf('abc'), recordOf('def')];
  const { registry, opened, noted, failed } = street(records, { cannotReload: 'abc' });
  (await registry.acquire('abc.example.org')).release();
  (await registry.acquire('def.example.org')).release();
  await registry.repair();
  await registry.repair();
  expect(opened.map((project) => project.reloads)).toEqual([0, 2]);
  expect(failed).toEqual(Array(2).fill('reload the settings of abc'));
  expect(noted.toSorted()).toEqual(['abc', 'def']);
});

test('the use of a project is noted at the next repair, and again after ten minutes', async () => {
  const { registry, noted, wait } = street([recordOf('abc'), recordOf('xyz')]);
  const use = async (ref: string) => (await registry.acquire(`${ref}.example.org`)).release();
  await use('abc');
  await use('xyz');
  wait(1);
  await registry.repair();
  expect(noted.splice(0).toSorted()).toEqual(['abc', 'xyz']);
  wait(599_000);
  await use('abc');
  await registry.repair();
  expect(noted).toEqual([]);
  wait(1_000);
  await registry.repair();
  expect(noted).toEqual(['abc']);
});

test('a record that cannot be read refuses its project, and the repair goes on with the others', async () => {
  const unreadable = new Set<string>();
  const records = [recordOf('abc'), recordOf('def')];
  const { registry, recordByRef, opened, failed, lookups } = street(records, { unreadable });
  for (const { ref } of records) (await registry.acquire(`${ref}.example.org`)).release();
  unreadable.add('abc');
  for (const { ref } of records) recordByRef.set(ref, recordOf(ref, { version: 2 }));
  await registry.repair();
  expect(failed).toEqual(['read the record of abc']);
  expect(opened[1]?.record.version).toBe(2);
  const refusal = { code: 'PROJECT_SECRETS_UNREADABLE', status: 503 };
  await expect(registry.acquire('abc.example.org')).rejects.toMatchObject(refusal);
  const before = lookups();
  await expect(registry.acquire('abc.example.org')).rejects.toMatchObject(refusal);
  expect(lookups()).toBe(before);
});
