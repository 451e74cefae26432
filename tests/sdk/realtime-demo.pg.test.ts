// The demo project: a change of its tables arrives at the clients that may read the row.
import { afterAll, beforeAll, expect, test } from 'vitest';

import { demoSql } from '../../bin/demo-project.js';
import { arrived, joined, Live } from './support/live.js';

let live: Live;
beforeAll(async () => {
  live = await Live.open(`drop table planets; ${demoSql}`);
}, 60_000);
afterAll(() => live.close());

test('a to-do arrives at its user, a planet at everybody', async () => {
  const [ada, bob] = [
    await live.as(await live.project.signUp('ada@example.org')),
    await live.as(await live.project.signUp('bob@example.org')),
  ];
  const seen: Record<'ada' | 'bob', string[]> = { ada: [], bob: [] };
  for (const [name, client] of Object.entries({ ada, bob })) {
    const channel = client
      .channel('demo')
      .on('postgres_changes', { event: 'INSERT', table: 'todos' }, ({ new: todo }) =>
        seen[name === 'ada' ? 'ada' : 'bob'].push(todo['title']),
      )
      .on('postgres_changes', { event: 'UPDATE', table: 'planets' }, ({ new: planet }) =>
        seen[name === 'ada' ? 'ada' : 'bob'].push(planet['name']),
      );
    await joined(channel);
  }
  await ada.from('todos').insert({ title: 'Write the first program' }).throwOnError();
  await live.project.sql(`update planets set moons = moons + 1 where name = 'Saturn'`);
  await arrived(seen.ada, 2);
  await arrived(seen.bob, 1);
  expect(seen).toEqual({ ada: ['Write the first program', 'Saturn'], bob: ['Saturn'] });
});
