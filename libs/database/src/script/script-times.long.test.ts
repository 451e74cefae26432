// A script of a megabyte, which a caller may send, is read in short steps and in a time that grows with its length.
import { expect, test } from 'vitest';

import { finish } from '#libs/steps';
import { speedFactor } from '#libs/testing';

import { readScript } from './read-script.js';

const half = 512 * 1024;
test.each([
  {
    name: 'a long word and many words',
    script: `create or replace ${'z'.repeat(half)} ${'a '.repeat(half / 2)}`,
  },
  { name: 'words', script: 'create '.repeat(half / 4) },
  { name: 'a word', script: 'Z'.repeat(2 * half) },
  { name: 'semicolons', script: ';'.repeat(2 * half) },
  { name: 'statements', script: `select ${'1'.repeat(90)};\n`.repeat(10_000) },
  {
    name: 'bodies',
    script: `create function f() begin atomic ${'select 1;'.repeat(half / 5)} end;`,
  },
  { name: 'nested comments', script: '/*'.repeat(half) },
  { name: 'a comment', script: `/*${'*'.repeat(2 * half)}` },
  { name: 'strings', script: `''`.repeat(half) },
  { name: 'an escape string', script: `e'${'\\'.repeat(2 * half)}` },
  { name: 'dollar quotes', script: '$$'.repeat(half) },
  { name: 'tags', script: '$a$b'.repeat(half / 2) },
])('a megabyte of $name is read in steps', ({ script }) => {
  const longestStep = () => {
    const steps = readScript(script);
    let longest = 0;
    for (let isDone = false; !isDone;) {
      const begun = performance.now();
      isDone = steps.next().done === true;
      longest = Math.max(longest, performance.now() - begun);
    }
    return longest;
  };
  // Other work of the machine may come in between, but not each time.
  const isShort = () => longestStep() < 50 * speedFactor();
  expect(Array.from({ length: 5 }).some(isShort)).toBe(true);
});

test.each([
  { name: 'dashes', part: '-' },
  { name: 'dashes in lines', part: '--\n' },
  { name: 'strings over lines', part: "'a'\n" },
  { name: 'quotes', part: "'" },
  { name: 'blanks', part: ' ' },
  { name: 'line breaks', part: '\n' },
  { name: 'dollar signs', part: '$' },
  { name: 'tags', part: '$a' },
  { name: 'open comments', part: '/*' },
  { name: 'backslashes', part: '\\' },
  { name: 'words', part: 'e' },
])('a script of $name behind an escape string takes time in proportion', ({ part }) => {
  const timeOf = (length: number) => {
    const script = `select e'a' ${part.repeat(length / part.length)}`;
    const begun = process.cpuUsage();
    finish(readScript(script));
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  };
  // The first of them is compiled while it runs. Twice as long may not take four times as long.
  const shortest = (length: number) => Math.min(...Array.from({ length: 5 }, () => timeOf(length)));
  expect(shortest(400_000)).toBeLessThan(8 * Math.max(shortest(200_000), 2_000));
});
