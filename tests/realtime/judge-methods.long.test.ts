// Evaluations for many callers together give the same answers as an evaluation for each: over random policies, callers and
// rows. Policies that are not simple are left to the loop, in which callers share an evaluation if the policies read the same
// of them.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Audience, Change } from '#libs/realtime';
import { factsOf, READ_FACTS, type TableFacts } from '../../libs/realtime/src/visibility/facts.js';
import { callerReads } from '../../libs/realtime/src/visibility/conditions.js';
import { methodFor } from '../../libs/realtime/src/visibility/program.js';
import { createProject, type ProjectFixture } from '../database/project-fixture.js';
import { audience, openStage, type Stage, tableOf } from './support.js';

vi.setConfig({ testTimeout: 120_000 });

const RUNS = 40;

describe.each(['text', 'uuid'] as const)('in a project of %s ids', (idType) => {
  let project: ProjectFixture;
  let stage: Stage;
  let oid: number;
  beforeAll(async () => {
    project = await createProject(idType);
    stage = await openStage(project);
    await project.admin.query(`
      create table public.docs (id int primary key, gone int, owner ${idType}, editor ${idType}, label text, public bool, n int);
      alter table public.docs drop column gone;
      create table public.friends (a ${idType}, b ${idType});
      insert into public.friends values ('${idOf(1)}', '${idOf(2)}');
      alter table public.friends disable row level security;
      grant select on public.docs, public.friends to authenticated;
      create type public.mood as enum ('calm');
      create function public.always() returns bool language sql volatile as 'select true';`);
    oid = (await tableOf(project.admin, 'public.docs')).oid;
  });
  afterAll(() => project.drop());

  const factsNow = async (): Promise<TableFacts> => {
    const [rows] = await project
      .open()
      .runAsRole('authenticated', [{ text: READ_FACTS, values: [String(oid)] }]);
    const facts = factsOf(rows?.[0]);
    if (!facts) throw new Error('The table has no facts');
    return facts;
  };
  const methodOf = async () => methodFor(await factsNow());

  async function setPolicies(policies: readonly string[]): Promise<void> {
    await project.admin.query(`
      do $do$ declare p name; begin
        for p in select polname from pg_policy where polrelid = 'public.docs'::regclass loop
          execute format('drop policy %I on public.docs', p);
        end loop; end $do$;
      ${policies.map((policy, i) => `create policy p${i} on public.docs ${policy};`).join('\n')}`);
  }

  // The last but one has an empty id in its claims.
  const subjects = [...Array.from({ length: 7 }, (_, i) => idOf(i)), '', 'no id'];

  const signedOut = { subject: '', claims: '{"role":"anon"}' };
  const oneEach = [signedOut, ...subjects.map((subject) => audience(subject))];

  async function seen(changes: readonly Change[], audiences: readonly Audience[] = oneEach) {
    const question = {
      table: oid,
      role: 'authenticated',
      changes,
      audiences,
      filters: [],
    } as const;
    const { newVisible, oldVisible, errors } = await stage.visibility.decide(question);
    expect([...errors.values()]).toEqual([]);
    return { newVisible, oldVisible };
  }

  test(`joined and loop agree over ${RUNS} random sets of policies`, async () => {
    const changes = await stage.changes('public.docs', randomRows());
    let joined = 0;
    for (let run = 0; run < RUNS; run++) {
      const policies = randomPolicies(idType);
      await setPolicies(policies);
      if ((await methodOf()) === 'joined') joined++;
      const answer = await seen(changes);
      // A condition that is true for all of them, and that only the loop evaluates.
      await setPolicies([...policies, 'as restrictive using (public.always())']);
      expect(await methodOf()).toBe('loop');
      expect(await seen(changes), policies.join('; ')).toEqual(answer);
    }
    expect(joined).toBeGreaterThan(RUNS / 4);
  });

  test(`callers share answers by what policies read, over ${RUNS} random sets of policies`, async () => {
    await project.admin.query('delete from public.docs');
    const changes = await stage.changes('public.docs', randomRows());
    const audiences = randomAudiences(subjects);
    let shared = 0;
    for (let run = 0; run < RUNS; run++) {
      const policies = randomPolicies(idType, claimTerms(idType));
      await setPolicies(policies);
      const facts = await factsNow();
      if (methodFor(facts) === 'loop' && callerReads(facts)) shared++;
      const answer = await seen(changes, audiences);
      await setPolicies([...policies, 'as restrictive using (public.always())']);
      expect(callerReads(await factsNow())).toBeUndefined();
      expect(await seen(changes, audiences), policies.join('; ')).toEqual(answer);
    }
    expect(shared).toBeGreaterThan(RUNS / 4);
  });

  test.each([
    { using: "auth.jwt() ->> 'org' = label", reads: { subject: false, claims: ['org'] } },
    {
      using: "(select auth.jwt() ->> 'it''s') = label or owner = (select auth.uid())",
      reads: { subject: true, claims: ["it's"] },
    },
    {
      using: "(auth.jwt() ->> 'level')::int >= n and auth.role() <> auth.email()",
      reads: { subject: false, claims: ['email', 'level', 'role'] },
    },
    { using: "auth.jwt() -> 'org' is not null" },
    { using: 'auth.jwt() ->> label is null' },
    { using: "auth.jwt() #>> '{org}' = label" },
    { using: "auth.jwt() ->> 'org' = label and public.always()" },
    { using: "owner in (select b from public.friends where auth.jwt() ->> 'org' = label)" },
    { using: "current_setting('request.jwt.claims', true)::jsonb ->> 'org' = label" },
    { using: "(auth.jwt() ->> 'mood')::public.mood is not null" },
  ])('$using: $reads', async ({ using, reads }) => {
    await setPolicies([`using (${using})`]);
    expect(callerReads(await factsNow())).toEqual(reads);
  });

  test.each([
    { using: 'true', method: 'once' },
    { using: "n > 3 and now() > date_trunc('year', timestamptz '2020-01-01')", method: 'loop' },
    { using: 'owner = auth.uid()', method: 'joined' },
    { using: '(select auth.uid()) = owner or public', method: 'joined' },
    { using: "owner = auth.uid() and label <> 'auth.uid()'", method: 'joined' },
    { using: 'auth.uid() is not null', method: 'joined' },
    { using: 'owner in (select b from public.friends where a = auth.uid())', method: 'loop' },
    { using: 'public.always()', method: 'loop' },
    { using: "auth.jwt() ->> 'role' = 'authenticated'", method: 'loop' },
    { using: 'docs is not null', method: 'loop' },
    { using: "current_setting('app.x', true) = '1'", method: 'loop' },
  ])('$using: $method', async ({ using, method }) => {
    await setPolicies([`using (${using})`]);
    expect(await methodOf()).toBe(method);
  });

  test('where a term fails by itself, the loop decides', async () => {
    await setPolicies([
      'using ((n = 0 or 10 / n > 1) and owner = auth.uid())',
      'using (n = 0 or 10 / n > 100)',
    ]);
    const changes = await stage.changes(
      'public.docs',
      `
      delete from public.docs; insert into public.docs values (900, '${idOf(1)}', null, 'a', false, 0)`,
    );
    const [last] = changes.slice(-1);
    if (last) expect((await seen([last])).newVisible).toEqual(['1', ...subjects.map(() => '1')]);
  });
});

function idOf(n: number): string {
  return `0000000${n}-0000-4000-8000-000000000000`;
}

const below = (n: number): number => Math.floor(Math.random() * n);
const pick = <T>(...values: T[]): T => values[below(values.length)] as T; // The list is not empty.

function randomRows(): string {
  const id = () => pick(`'${idOf(below(8))}'`, 'null');
  const values = Array.from(
    { length: 30 },
    (_, i) =>
      `(${i}, ${id()}, ${id()}, ${pick("'a'", "'b'", "'auth.uid() OR x'", 'null')}, ${pick('true', 'false', 'null')}, ${pick(String(below(9)), 'null')})`,
  );
  return `insert into public.docs values ${values.join(', ')};
    update public.docs set owner = editor, n = n + 1 where id % 2 = 0; delete from public.docs where id % 3 = 0;`;
}

/** Callers of few organizations and levels, with sessions of their own. */
function randomAudiences(subjects: readonly string[]): readonly Audience[] {
  const others = ['1', '"a"', 'null', '9007199254740993'];
  return Array.from({ length: 40 }, (_, session) => {
    const subject = pick(...subjects);
    const members = [
      `"sub":"${subject}"`,
      `"session_id":"${pick('s', String(session))}"`,
      ...pick([], ['"org":"a"'], ['"org":"b"'], ['"org":null'], ['"org":{"x":1,"y":2}']),
      ...pick([], ['"level":3'], ['"level":"7"'], ['"level":9007199254740993']),
      ...pick([], [], [`"other":${pick(...others)}`]),
    ];
    return { subject: pick(subject, subject, ''), claims: `{${members.join(',')}}` };
  });
}

function claimTerms(idType: string): readonly string[] {
  const org = pick("auth.jwt() ->> 'org'", "(select auth.jwt() ->> 'org')");
  const column = pick('owner', 'editor');
  const cast = idType === 'uuid' ? '::text' : '';
  return [
    `${org} = label`,
    `${org} is null`,
    `${org} = '{"x": 1, "y": 2}'`,
    `(auth.jwt() ->> 'level')::numeric > n`,
    `auth.jwt() ->> 'sub' = ${column}${cast}`,
    `(select auth.role()) is null and ${org} = 'b'`,
  ];
}

function randomPolicies(idType: string, more: readonly string[] = []): string[] {
  return Array.from({ length: 1 + below(3) }, () => {
    const kind = pick('', '', 'as restrictive');
    const roles = pick('public', 'authenticated');
    const rule = condition(3, idType, more);
    if (below(5) === 0) return `${kind} for all to ${roles} with check (${rule})`;
    return `${kind} for ${pick('select', 'all')} to ${roles} using (${rule})`;
  });
}

function condition(depth: number, idType: string, more: readonly string[]): string {
  if (depth > 0 && below(3) > 0) {
    const part = () => condition(depth - 1, idType, more);
    return pick(
      `(${part()} and ${part()})`,
      `(${part()} or ${part()})`,
      `(${part()} or ${part()} or ${part()})`,
      `not (${part()})`,
    );
  }
  if (more.length > 0 && below(2) === 0) return pick(...more);
  const uid = pick('auth.uid()', '(select auth.uid())');
  const column = pick('owner', 'editor');
  return pick(
    `${column} = ${uid}`,
    `${uid} = ${column}`,
    `${column} <> ${uid}`,
    `${uid} is null`,
    `${column} is distinct from ${uid}`,
    `coalesce(${column}, ${uid}) = ${uid}`,
    `${uid} in (owner, editor)`,
    `case when public then ${column} = ${uid} else n > 4 end`,
    `label = 'auth.uid() OR x'`,
    `label in ('a', 'b')`,
    'public',
    `n > ${below(9)}`,
    'n is null',
    'true',
    'false',
    ...(idType === 'text' ? [`${column} like ${uid} || '%'`] : []),
  );
}
