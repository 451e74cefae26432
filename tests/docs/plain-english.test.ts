// Words of a dialect that only its authors read at first sight stay out of the sources.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { turns } from './turns.js';

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
    const found = turns.filter(([turn]) => turn.test(line));
    return found.map(([turn, better]) => `${at + 1}: ${turn.exec(line)?.[0]} (${better})`);
  });
}

test.each(rooms)('%s is written in plain English', (room) => {
  const found = sourcesIn(room).flatMap((path) =>
    findings(readFileSync(join(root, path), 'utf8')).map((finding) => `${path}:${finding}`),
  );
  expect(found).toEqual([]);
});

test('a turn is found, and words that contain one are not', () => {
  expect(findings('// Whoever asks is told.\n// So long as it stands.')).toEqual([
    '1: Whoever (the caller, the client, the operator)',
    '1: told (returns, reports, informs)',
  ]);
});
