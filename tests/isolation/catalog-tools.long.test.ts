// The programs of PostgreSQL with the connection string of a project's owner: psql, pg_dump and pg_restore work
// as they do on a server of one's own, and say nothing of the neighbor.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { describeIf, testIf } from '#libs/testing';

import { Deployment, testDatabaseUrl } from '../support/deployment.js';
import { answersOf, openSchema, rightsIn } from '../support/dumped-schema.js';
import { describeDumps, majorOf, serverMajor } from '../support/postgres-programs.js';
import type { ProjectUnderTest } from '../support/project.js';
import { rolesOf } from './catalog-probe.js';

const run = promisify(execFile);
const page = readFileSync('docs/schema.md', 'utf8');
const [, documentedRestore = ''] = /```sh\n(pg_dump [^]*?)```/.exec(page) ?? [];

const psqlMajor = majorOf('psql');
const major = await serverMajor();

let deployment: Deployment;
let project: ProjectUnderTest;
let neighbor: ProjectUnderTest;
let copy: ProjectUnderTest;
let folder: string;
let foreignNames: string[];

beforeAll(async () => {
  deployment = await Deployment.shared();
  project = await deployment.createProject();
  neighbor = await deployment.createProject();
  copy = await deployment.createProject();
  folder = await mkdtemp(join(tmpdir(), 'rowhouse-dump-'));
  const database = databaseOf(neighbor);
  foreignNames = [database, ...(await rolesOf(database)).map(({ name }) => name)];
  await project.sql(`
    create type mood as enum ('calm', 'loud');
    create domain short_text as text check (length(value) < 100);
    create table authors (id int generated always as identity primary key, name short_text not null);
    create table notes (
      id int primary key, author int references authors, feeling mood default 'calm',
      body text, size int generated always as (length(body)) stored
    );
    comment on table notes is 'what people write';
    create index notes_by_author on notes (author);
    create policy own on notes to authenticated using (auth.uid() is not null);
    create view loud_notes as select * from notes where feeling = 'loud';
    create materialized view counts as select author, count(*) from notes group by author;
    create sequence tickets;
    create function shout(text) returns text language sql immutable as 'select upper($1)';
    create function note_changed() returns trigger language plpgsql as 'begin return new; end';
    create trigger changed before update on notes for each row execute function note_changed();
    create aggregate longest (text) (sfunc = textcat, stype = text);
    create operator === (leftarg = text, rightarg = text, function = texteq);
    create extension citext;
    insert into authors (name) values ('Ann'), ('Bo');
    insert into notes (id, author, feeling, body) values (1, 1, 'calm', 'hello'), (2, 2, 'loud', 'HELLO');
    refresh materialized view counts`);
}, 60_000);

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await deployment.close();
});

const databaseOf = (of: ProjectUnderTest): string => new URL(of.databaseUrl).pathname.slice(1);

async function psql(of: ProjectUnderTest, ...args: string[]): Promise<string> {
  const all = ['-X', '-v', 'ON_ERROR_STOP=1', '-P', 'pager=off', ...args];
  const { stdout, stderr } = await run('psql', ['-d', of.databaseUrl, ...all]);
  return stdout + stderr;
}

/** An older psql reads columns here that newer servers have under other names. */
const unreadable = psqlMajor > 0 && psqlMajor < major ? ['\\l', '\\dO'] : [];

const commands = [
  '\\d',
  '\\d notes',
  '\\d+ notes',
  '\\dn',
  '\\dn+',
  '\\du',
  '\\l',
  '\\dp',
  '\\df',
  '\\df+',
  '\\dT',
  '\\dT+',
  '\\dx',
  '\\di',
  '\\di+',
  '\\dv',
  '\\dm',
  '\\ds',
  '\\dE',
  '\\sf shout',
  '\\do',
  '\\dO',
  '\\dF',
  '\\da',
  '\\dC',
  '\\dD',
  '\\dd',
  '\\ddp',
  '\\dt+',
  '\\dy',
  '\\db',
  '\\drds',
  '\\dL',
  '\\dc',
  '\\dRp',
  '\\sv loud_notes',
];

describeIf(psqlMajor > 0, 'no psql on this machine (package postgresql-client)')('psql', () => {
  for (const command of commands) {
    const reason = `${command} of psql ${psqlMajor} does not know version ${major}`;
    testIf(!unreadable.includes(command), reason)(command, async () => {
      const output = await psql(project, '-c', command);
      expect(foreignNames.filter((name) => output.includes(name))).toEqual([]);
    });
  }

  test('\\du lists the own roles, \\dt their owner', async () => {
    const owner = decodeURIComponent(new URL(project.databaseUrl).username);
    expect(await psql(project, '-c', '\\du')).toContain(owner);
    expect(await psql(project, '-c', '\\dt notes')).toContain(owner);
  });
});

const contents = `select (select json_agg(n order by id) from notes n) as notes,
  (select json_agg(c order by author) from counts c) as counts, shout('a') as shout,
  obj_description('notes'::regclass) as comment,
  (select json_agg(polname) from pg_policy where polrelid = 'notes'::regclass) as policies,
  (select json_agg(tgname order by tgname) from pg_trigger where tgrelid = 'notes'::regclass and not tgisinternal) as triggers`;

(await describeDumps())('pg_dump', () => {
  const dump = async (...args: string[]): Promise<string> => {
    const { stdout, stderr } = await run('pg_dump', ['-d', project.databaseUrl, ...args]);
    expect(stderr).toBe('');
    return stdout;
  };

  test('writes the own schemas, and nothing of the neighbor or of the system', async () => {
    const text = await dump('-n', 'public');
    expect(text).toContain('CREATE TABLE public.notes');
    expect(text).toContain('CREATE POLICY own ON public.notes');
    expect(text).toContain("COMMENT ON TABLE public.notes IS 'what people write'");
    expect(text).toContain('CREATE TRIGGER changed');
    expect(foreignNames.filter((name) => text.includes(name))).toEqual([]);
    expect(text).not.toMatch(/pg_catalog\.(pg_|rowhouse_|hidden_)/);
  });

  /** Runs the commands of docs/schema.md, "Dump and restore", or others that restore the dump. */
  const restore = async (
    from: ProjectUnderTest,
    to: ProjectUnderTest,
    change = (text: string) => text,
  ) => {
    const env = {
      ...process.env,
      DATABASE_URL: from.databaseUrl,
      DATABASE_URL_OF_OTHER_PROJECT: to.databaseUrl,
    };
    const { stderr } = await run('sh', ['-euc', change(documentedRestore)], { cwd: folder, env });
    expect(stderr).toBe('');
  };

  test('what it writes can be restored into another project', async () => {
    await copy.sql('create extension citext');
    await restore(project, copy);
    const [original, restored] = [await project.sql(contents), await copy.sql(contents)];
    expect(restored).toEqual(original);
  });

  describe('of a schema with revoked rights', () => {
    let source: ProjectUnderTest;
    let before: readonly string[];
    beforeAll(async () => {
      source = await deployment.createProject();
      await source.sql(openSchema);
      before = await rightsIn((sql) => source.sql(sql));
    });

    test('restores the rights of each role', async () => {
      const target = await deployment.createProject();
      await restore(source, target);
      expect(await rightsIn((sql) => target.sql(sql))).toEqual(before);
      expect(await answersOf(target)).toEqual(await answersOf(source));
    });

    test.each([
      { name: 'the option', change: (text: string) => text.replace(/PGOPTIONS='[^']*' /, '') },
      {
        name: 'the option, and with --no-privileges',
        change: (text: string) =>
          text
            .replace(/PGOPTIONS='[^']*' /, '')
            .replace('--no-owner', '--no-owner --no-privileges'),
      },
    ])('gives nobody more without $name', async ({ change }) => {
      const target = await deployment.createProject();
      await restore(source, target, change);
      const after = await rightsIn((sql) => target.sql(sql));
      const isTaken = (right: string) => !before.includes(right) || right.startsWith('all:');
      expect(after.filter(isTaken)).toEqual([]);
    });
  });

  test('the superuser can dump the whole database', async () => {
    const url = new URL(testDatabaseUrl());
    url.pathname = `/${databaseOf(project)}`;
    const { stdout, stderr } = await run('pg_dump', ['-C', '-s', '-d', url.href]);
    expect(stderr).toBe('');
    expect(stdout).toContain('CREATE TABLE auth."user"');
    expect(stdout).not.toMatch(/pg_catalog\.(pg_database|hidden_)/);
    // Functions of the platform call others of it, which a new database of a project has as well.
    const objects = stdout
      .split('\n-- Name: ')
      .filter((text) => text.includes('pg_catalog.rowhouse_'));
    const isOfRealtime = /^[^\n]*; Type: FUNCTION; Schema: realtime;/;
    expect(objects.filter((text) => !isOfRealtime.test(text))).toEqual([]);
  });
});
