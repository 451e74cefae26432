// The SQL that the diagram saves: it makes the tables of one project in another.
import { readFile } from 'node:fs/promises';

import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

import { describeWithBrowser } from '../support/browser.js';
import { asRecord } from '../support/deployment.js';
import { openWorld, type World } from './world.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 });

const tables = `
    create type mood as enum ('calm', 'it''s wild');
    comment on type mood is 'How it''s felt';
    create type "Odd ""type" as enum ('x');
    create table customers (
      id bigint generated always as identity primary key,
      email varchar(80) not null unique,
      owner text references auth."user" (id) on delete cascade,
      feels mood not null default 'calm', moods mood[], odd "Odd ""type",
      code char(2) check (code = upper(code)),
      twice int generated always as (2 * 3) stored,
      made timestamptz not null default now()
    );
    comment on table customers is 'Who buys; it''s "them"
drop table customers;';
    comment on column customers.email is 'One each';
    create index on customers (lower(email));
    create unique index on customers (code) where code is not null;
    create table "order" (
      "select" serial primary key, customer bigint references customers on delete cascade,
      email varchar(80) references customers (email), next int references "order",
      unique (customer, email)
    );
    create table "a ""b\\ c" ("x ""y" text, primary key ("x ""y"));
    create table loose (note text);
    alter table loose disable row level security;
    alter table customers force row level security;
    create view a_view as select 1 as one;`;

describeWithBrowser('the SQL of the diagram', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  afterEach(() => world.expectNoFindings());

  const send = async (ref: string, path: string, query?: string): Promise<unknown> => {
    const reply = await world.deployment.console({
      method: query === undefined ? 'GET' : 'POST',
      path: `/platform/projects/${ref}/api/admin/${path}`,
      ...(query !== undefined && { body: { query } }),
    });
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.body;
  };
  const listIn = (value: unknown, key: string): readonly Record<string, unknown>[] => {
    const list = asRecord(value)[key];
    return Array.isArray(list) ? list.map(asRecord) : [];
  };
  /** What the script is to keep of the tables of a project. */
  const keptOf = async (ref: string): Promise<unknown> => {
    const content = await send(ref, 'schema');
    const stored = listIn(content, 'tables').filter(({ kind }) => kind === 'table');
    const details = await Promise.all(
      stored.map(async ({ name }) =>
        // No path holds a backslash: the script says that it has the columns of this table alone.
        String(name).includes('\\')
          ? undefined
          : await send(ref, `schema/tables/${encodeURIComponent(String(name))}`),
      ),
    );
    return {
      enums: listIn(content, 'enums'),
      tables: stored.map(({ name, columns, primaryKey, foreignKeys, hasRls, comment }, index) => {
        const { uniques, checks, indexes, isRlsForced } = asRecord(details[index] ?? {});
        const own = { name, columns, primaryKey, foreignKeys, hasRls, comment };
        return { ...own, uniques, checks, indexes, isRlsForced };
      }),
    };
  };

  test('the tables of the copy are those of the project', async () => {
    const [ref, copy] = [await world.addProject('Shop'), await world.addProject('Copy')];
    await send(ref, 'sql', tables);
    const page = await world.openSignedIn(`/projects/${ref}/diagram`, { acceptDownloads: true });
    await page.getByRole('application').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save the diagram' }).click();
    await page.getByRole('menuitem', { name: /SQL/ }).click();
    const script = await readFile(await (await download).path(), 'utf8');
    expect(script).toContain('-- public.a_view is a view and is left out.');
    expect(script.match(/could not be read/g)).toHaveLength(1);
    await send(copy, 'sql', script);
    expect(await keptOf(copy)).toEqual(await keptOf(ref));
  });
});
