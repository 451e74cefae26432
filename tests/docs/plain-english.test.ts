// The sources stay free of turns that readers have to decipher.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { sourceTurns } from './turns.js';

const rooms = ['apps', 'bin', 'libs', 'scripts'];

const root = new URL('../..', import.meta.url).pathname;

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (statSync(join(root, path)).isDirectory()) {
      return name === 'node_modules' || name === 'tests' ? [] : sourcesIn(path);
    }
    return /\.(ts|js|mjs)$/.test(name) && !name.includes('.test.') ? [path] : [];
  });
}

/** The lines of a text with a turn, and what to write instead. */
function findings(text: string): string[] {
  return text.split('\n').flatMap((line, at) => {
    const found = sourceTurns.filter(([turn]) => turn.test(line));
    return found.map(([turn, better]) => `${at + 1}: ${turn.exec(line)?.[0]} (${better})`);
  });
}

test.each(rooms)('%s is written in plain English', (room) => {
  const found = sourcesIn(room).flatMap((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return findings(text).map((finding) => `${path}:${finding}`);
  });
  expect(found).toEqual([]);
});

test.each([
  ['Whoever asks.', 'Whoever'],
  ['It is told.', 'told'],
  ['Undefined for one that has ended.', 'one that'],
  ['The database is asked.', 'is asked'],
  ['There is no such user.', 'There is no such'],
  ['What stands before the path.', 'stands'],
  ['At most so many rows.', 'so many'],
  ['A list parted by commas.', 'parted'],
  ['Hears every signal.', 'Hears'],
  ['The results are judged.', 'judged'],
  ['Nudges the worker.', 'Nudges'],
  ['The sender lingers.', 'lingers'],
])('in "%s" the turn is found', (sentence, turn) => {
  expect(findings(`// ${sentence}`)).toEqual([expect.stringContaining(`1: ${turn} (`)]);
});

test.each([
  'So long as it fits.',
  'The one that is named, and each one that follows.',
  'The rows that are asked for, and users that are asked to sign in.',
  'A stand-in that stands alone, stands out, stands in for it, and is understood.',
  'So many requests that the queue is full, and so much as fits.',
  'The shared heart of a departed adjudged clingers.',
  'The system user `nobody`.',
])('"%s" has no turn', (sentence) => {
  expect(findings(`// ${sentence}`)).toEqual([]);
});
