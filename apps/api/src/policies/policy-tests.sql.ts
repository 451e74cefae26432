// The rows of platform.policy_tests.
import { boundedJson, type EngineQueries, type JsonRow, type Transaction } from '#libs/database';
import { fail } from '#libs/errors';

/** A test as it is stored: the parts are those of the API, checked when they came. */
export interface TestRow {
  readonly id: string;
  readonly name: string;
  readonly as: unknown;
  readonly request: unknown;
  readonly expect: unknown;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const columns = `id::pg_catalog.text, name, caller as "as", request, expectation as "expect",
  pg_catalog.to_json(created_at) as "createdAt", pg_catalog.to_json(updated_at) as "updatedAt"`;

/** All tests, by name. */
export function listTests(db: EngineQueries): Promise<readonly TestRow[]> {
  return db.queryAsEngine<TestRow>(
    `select ${columns} from platform.policy_tests order by name, id`,
  );
}

/** All tests, by name, as the text of a JSON list. */
export async function listTestsJson(db: EngineQueries): Promise<JsonRow> {
  const [row] = await db.queryAsEngine<JsonRow>(
    `select ${boundedJson(`pg_catalog.json_build_object('tests', coalesce((
       select pg_catalog.json_agg(listed) from (
         select ${columns} from platform.policy_tests order by name, id) as listed), '[]'))`)} as content`,
  );
  if (!row) throw fail('DATABASE_ERROR');
  return row;
}

/** Until the end of the transaction no other one changes tests, so that limits hold. */
export async function lockTests(tx: Transaction): Promise<void> {
  await tx.query('lock table platform.policy_tests in share row exclusive mode');
}

/** How many tests there are, and how many bytes their texts have together. */
export async function measureTests(
  tx: Transaction,
): Promise<{ readonly count: number; readonly bytes: number }> {
  const bytes = ['caller', 'request', 'expectation']
    .map((column) => `pg_catalog.octet_length(${column}::pg_catalog.text)`)
    .join(' operator(pg_catalog.+) ');
  const { rows } = await tx.query<{ readonly count: number; readonly bytes: number }>(
    `select pg_catalog.count(*)::pg_catalog.int4 as count,
            coalesce(pg_catalog.sum(${bytes}), 0)::pg_catalog.float8 as bytes
       from platform.policy_tests`,
  );
  return rows[0] ?? { count: 0, bytes: 0 };
}

export async function findTest(tx: Transaction, id: string): Promise<TestRow | undefined> {
  const { rows } = await tx.query<TestRow>(
    `select ${columns} from platform.policy_tests
     where id operator(pg_catalog.=) $1::pg_catalog.uuid for update`,
    [id],
  );
  return rows[0];
}

/** What an operator writes of a test. */
export interface TestValues {
  readonly name: string;
  readonly as: unknown;
  readonly request: unknown;
  readonly expect: unknown;
}

export async function isNameTaken(
  tx: Transaction,
  name: string,
  except?: string,
): Promise<boolean> {
  const { rows } = await tx.query(
    `select from platform.policy_tests where name operator(pg_catalog.=) $1
       and id::pg_catalog.text is distinct from $2`,
    [name, except ?? null],
  );
  return rows.length > 0;
}

export async function insertTest(tx: Transaction, values: TestValues): Promise<TestRow> {
  const { rows } = await tx.query<TestRow>(
    `insert into platform.policy_tests (name, caller, request, expectation)
     values ($1, $2, $3, $4) returning ${columns}`,
    parameters(values),
  );
  return one(rows);
}

export async function updateTest(
  tx: Transaction,
  id: string,
  values: TestValues,
): Promise<TestRow> {
  const { rows } = await tx.query<TestRow>(
    `update platform.policy_tests
     set name = $1, caller = $2, request = $3, expectation = $4, updated_at = pg_catalog.now()
     where id operator(pg_catalog.=) $5::pg_catalog.uuid returning ${columns}`,
    [...parameters(values), id],
  );
  return one(rows);
}

export async function deleteTest(tx: Transaction, id: string): Promise<void> {
  await tx.query(
    'delete from platform.policy_tests where id operator(pg_catalog.=) $1::pg_catalog.uuid',
    [id],
  );
}

function parameters({ name, as, request, expect }: TestValues): readonly string[] {
  return [name, JSON.stringify(as), JSON.stringify(request), JSON.stringify(expect)];
}

function one(rows: readonly TestRow[]): TestRow {
  const [row] = rows;
  if (!row) throw new Error('the statement has returned no test');
  return row;
}
