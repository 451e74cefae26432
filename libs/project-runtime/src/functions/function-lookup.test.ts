import { expect, test } from 'vitest';

import type { EngineQueries } from '#libs/database';

import { FunctionLookup } from './function-lookup.js';

/** A database that answers statements when the test lets it. */
class Database implements EngineQueries {
  readonly asked: string[][] = [];
  readonly answers: ((rows: readonly object[]) => void)[] = [];
  readonly failures: ((error: Error) => void)[] = [];

  queryAsEngine<Row extends object>(_text: string, [routes]: readonly unknown[] = []) {
    this.asked.push([...(routes as readonly string[])]); // What FunctionLookup sends.
    return new Promise<readonly Row[]>((resolve, reject) => {
      this.answers.push((rows) => resolve(rows as readonly Row[])); // The test knows the shape.
      this.failures.push(reject);
    });
  }
}

const found = (route: string, version: number) => ({ slug: route, route, version });
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('calls that arrive together share a look-up, and each gets its longest route', async () => {
  const db = new Database();
  const lookup = new FunctionLookup(db);
  const calls = [lookup.find(['pay']), lookup.find(['pay', 'pay/hook']), lookup.find(['none'])];
  await turn();
  expect(db.asked).toEqual([['pay', 'pay/hook', 'none']]);
  db.answers[0]?.([found('pay/hook', 2), found('pay', 1)]);
  expect(await Promise.all(calls)).toMatchObject([{ version: 1 }, { version: 2 }, undefined]);
});

test('a call gets no answer of a look-up that began before its arrival', async () => {
  const db = new Database();
  const lookup = new FunctionLookup(db);
  const before = lookup.find(['a']);
  await turn();
  const after = [lookup.find(['a']), lookup.find(['a'])];
  await turn();
  expect(db.asked).toHaveLength(1);
  db.answers[0]?.([found('a', 1)]);
  expect(await before).toMatchObject({ version: 1 });
  await turn();
  expect(db.asked).toHaveLength(2);
  db.answers[1]?.([found('a', 2)]);
  expect(await Promise.all(after)).toMatchObject([{ version: 2 }, { version: 2 }]);
});

test('a look-up that fails, fails for its own calls alone', async () => {
  const db = new Database();
  const lookup = new FunctionLookup(db);
  const lost = lookup.find(['a']);
  await turn();
  const next = lookup.find(['a']);
  db.failures[0]?.(new Error('away'));
  await expect(lost).rejects.toThrow('away');
  await turn();
  db.answers[1]?.([found('a', 1)]);
  expect(await next).toMatchObject({ version: 1 });
});

test('a flood of routes is read in several statements', async () => {
  const db = new Database();
  const lookup = new FunctionLookup(db);
  const calls = Array.from({ length: 501 }, (_, index) => lookup.find([`r${index}`]));
  await turn();
  expect(db.asked.map(({ length }) => length)).toEqual([500]);
  db.answers[0]?.([]);
  await turn();
  expect(db.asked.map(({ length }) => length)).toEqual([500, 1]);
  db.answers[1]?.([found('r500', 1)]);
  expect(await calls[500]).toMatchObject({ version: 1 });
});
