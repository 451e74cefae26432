import { expect, test } from 'vitest';
import { StatementCache } from './statement-cache.js';

test('the statement not used for longest makes room, and is closed', () => {
  const cache = new StatementCache(2);
  cache.add('a');
  cache.add('b');
  cache.find('a');
  cache.add('c');
  expect(cache.find('b')).toBeUndefined();
  expect(cache.find('a')).toBeDefined();
  expect(cache.takeClosed()).toEqual(['b']);
  expect(cache.takeClosed()).toEqual([]);
  expect(cache.size).toBe(2);
});

test('only the statement that was meant is forgotten, not its successor of the same name', () => {
  const cache = new StatementCache(5);
  const old = cache.add('a');
  cache.forget(old);
  const renewed = cache.add('a');
  cache.forget(old);
  expect(cache.find('a')).toBe(renewed);
  expect(cache.takeClosed()).toEqual(['a']);
});

test('everything can be forgotten', () => {
  const cache = new StatementCache(5);
  cache.add('a');
  cache.add('b');
  cache.forgetAll();
  expect(cache.find('a')).toBeUndefined();
  expect(cache.takeClosed()).toEqual(['a', 'b']);
});
