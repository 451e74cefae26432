// The sources stay free of turns that readers have to decipher.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { blob, sourceTurns } from './turns.js';

const rooms = ['apps', 'bench', 'bin', 'libs', 'scripts'];

const root = new URL('../..', import.meta.url).pathname;

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (name === 'node_modules') return [];
    if (statSync(join(root, path)).isDirectory()) return filesIn(path);
    return /\.(tsx?|m?js)$/.test(name) ? [path] : [];
  });
}

function sourcesIn(folder: string): string[] {
  return filesIn(folder).filter((path) => !/\/tests\/|\.test\./.test(path));
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

/** Released migrations are never changed: these are the last ones with words of the list. */
const lastReleased: Readonly<Record<string, number>> = {
  'control-plane': 70,
  project: 67,
  'project-superuser': 17,
};

test.each(Object.entries(lastReleased))(
  'migrations of %s after %i are written in plain English',
  (folder, last) => {
    const names = readdirSync(join(root, 'migrations', folder));
    const found = names
      .filter((name) => Number(name.slice(0, 4)) > last)
      .flatMap((name) => {
        const text = readFileSync(join(root, 'migrations', folder, name), 'utf8');
        const blobs = text.split('\n').filter((line) => blob.test(line));
        return [...findings(text), ...blobs].map((finding) => `${name}:${finding}`);
      });
    expect(found).toEqual([]);
  },
);

test('each folder of migrations is one of these', () => {
  expect(readdirSync(join(root, 'migrations')).toSorted()).toEqual(Object.keys(lastReleased));
});

test.each([...rooms, 'tests'])('%s calls the bytes of a file an object', (room) => {
  const ofBrowsers = /^(libs|tests)\/sdk\/|^tests\/docs\//;
  const found = filesIn(room)
    .filter((path) => !ofBrowsers.test(path))
    .flatMap((path) => {
      const lines = readFileSync(join(root, path), 'utf8').split('\n');
      return lines.flatMap((line, at) => (blob.test(line) ? [`${path}:${at + 1}: ${line}`] : []));
    });
  expect(found).toEqual([]);
});

test.each([
  ['// Removes a blob.', true],
  ['// Blobs without a row.', true],
  ['const blobsRemoved = 1;', true],
  ['async function openBlob(): Promise<BlobFacts>', true],
  ["const schemes = ['blob', 'data'];", false],
  ["driver_state operator(pg_catalog.->) 'blob'", false],
  ["const photo = await openAsBlob('photo.jpg');", false],
  ["const body = new Blob(['x']);", false],
  ["canvas.toBlob(resolve, 'image/png');", false],
  ["`img-src 'self' blob:`,", false],
])('in %s the word is found: %s', (line, isFound) => {
  expect(blob.test(line)).toBe(isFound);
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
  ['Its neighbours.', 'neighbour'],
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
