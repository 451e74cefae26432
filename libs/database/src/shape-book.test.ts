import { expect, test } from 'vitest';
import { isFast, noteRun, ShapeBook } from './shape-book.js';

test('a text has one name per kind of caller', () => {
  const book = new ShapeBook(10);
  const name = book.shapeOf('user', 'select 1').name;
  expect(book.shapeOf('user', 'select 1').name).toBe(name);
  expect(book.shapeOf('anon', 'select 1').name).not.toBe(name);
  expect(book.shapeOf('user', 'select 2').name).not.toBe(name);
});

test('a forgotten text gets a name that was never used', () => {
  const book = new ShapeBook(2);
  const names = new Set<string>();
  for (let n = 0; n < 10; n++) names.add(book.shapeOf('user', `select ${n}`).name);
  names.add(book.shapeOf('user', 'select 0').name);
  expect(names.size).toBe(11);
});

test('a long text has no name and takes the place of no other', () => {
  const book = new ShapeBook(1);
  const { name } = book.shapeOf('user', 'select 1');
  const long = `select '${'x'.repeat(20_000)}'`;
  expect(book.shapeOf('user', long).name).toBe('');
  expect(book.shapeOf('user', 'select 1').name).toBe(name);
});

test.each([
  { name: 'a shape that never ran is not fast', times: [], fast: false },
  { name: 'once is not enough', times: [0.1], fast: false },
  { name: 'twice is', times: [0.1, 0.2], fast: true },
  { name: 'answers that a busy process sees late do not count', times: [0.5, 9, 9, 9], fast: true },
  { name: 'slow ones are not', times: [20, 20], fast: false },
  { name: 'one long run ends it', times: [0.1, 0.1, 0.1, 101], fast: false },
  { name: 'it may become fast again', times: [150, ...Array<number>(60).fill(0.1)], fast: true },
])('$name', ({ times, fast }) => {
  const shape = new ShapeBook(1).shapeOf('user', 'select 1');
  for (const ms of times) noteRun(shape, ms);
  expect(isFast(shape)).toBe(fast);
});
