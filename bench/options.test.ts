import { expect, test } from 'vitest';
import { parseOptions } from './options.js';

test('nothing given: the defaults', () => {
  expect(parseOptions([])).toEqual({
    mode: 'rates',
    out: 'data/bench.json',
    rounds: 3,
    seconds: 2,
    projects: 200,
    minutes: 5,
    sockets: 10_000,
    only: '',
    withoutProduct: false,
  });
});

test('no projects: no fleet', () => {
  expect(parseOptions(['--projects', '0'])?.projects).toBe(0);
});

test('--memory writes to a file of its own, unless another is named', () => {
  expect(parseOptions(['--memory', '--minutes', '60'])).toMatchObject({
    mode: 'memory',
    minutes: 60,
    out: 'data/bench-memory.json',
  });
  expect(parseOptions(['--memory', '--out', 'x.json'])?.out).toBe('x.json');
});

test('--storage, too', () => {
  expect(parseOptions(['--storage', '--rounds', '9'])).toMatchObject({
    mode: 'storage',
    rounds: 9,
    out: 'data/bench-storage.json',
  });
});

test('--realtime, too', () => {
  expect(parseOptions(['--realtime', '--sockets', '500'])).toMatchObject({
    mode: 'realtime',
    sockets: 500,
    out: 'data/bench-realtime.json',
  });
});

test('--functions, too', () => {
  expect(parseOptions(['--functions', '--seconds', '5'])).toMatchObject({
    mode: 'functions',
    seconds: 5,
    out: 'data/bench-functions.json',
  });
});

test('--help asks for no run', () => {
  expect(parseOptions(['--help'])).toBeUndefined();
});

test.each([
  { name: 'an unknown option', args: ['--fast'] },
  { name: 'no rounds', args: ['--rounds', '0'] },
  { name: 'half a second', args: ['--seconds', '0.5'] },
  { name: 'two kinds of run', args: ['--memory', '--storage'] },
  { name: 'realtime besides storage', args: ['--realtime', '--storage'] },
  { name: 'functions besides memory', args: ['--functions', '--memory'] },
  { name: 'no sockets', args: ['--realtime', '--sockets', '0'] },
  { name: 'no minutes', args: ['--memory', '--minutes', '0'] },
  { name: 'too few projects for cold ones above the limit', args: ['--projects', '9'] },
])('$name is refused', ({ args }) => {
  expect(() => parseOptions(args)).toThrow();
});
