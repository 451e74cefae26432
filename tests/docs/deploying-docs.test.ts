// docs/deploying.md: the unit of systemd starts what is in the checkout, and waits for the end of a server with the
// usual settings.
import { existsSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { parseEnv } from '../../bin/env.js';

/** What the pages allow for the stop of the database, after the running requests have ended. */
const databaseSeconds = 30;

const [, unit = ''] =
  /```ini\n# \/etc\/systemd\/system\/rowhouse\.service\n([^]*?)```/.exec(
    readFileSync('docs/deploying.md', 'utf8'),
  ) ?? [];

/** The value of a setting of the unit; undefined if the unit does not have it once. */
function valueOf(name: string): string | undefined {
  const values = [...unit.matchAll(new RegExp(`^${name}=(.+)$`, 'gm'))].map(([, value]) => value);
  return values.length === 1 ? values[0] : undefined;
}

test('systemd waits longer for the end than a server with the usual settings takes', () => {
  const { preStopSeconds, drainSeconds } = parseEnv({});
  const waits = Number(valueOf('TimeoutStopSec'));
  expect(waits).toBeGreaterThan(preStopSeconds + drainSeconds + databaseSeconds);
});

test.each(['docker/compose.yaml', 'docker/compose.parts.yaml'])('%s waits as long', (file) => {
  const [, seconds] = /^ +stop_grace_period: (\d+)s$/m.exec(readFileSync(file, 'utf8')) ?? [];
  expect(seconds).toBe(valueOf('TimeoutStopSec'));
});

test('the unit starts the program of the checkout with Node.js itself', () => {
  expect(unit.match(/^\[\w+\]$/gm)).toEqual(['[Unit]', '[Service]', '[Install]']);
  const [node, program = '', ...rest] = valueOf('ExecStart')?.split(' ') ?? [];
  expect(node).toBe('/usr/bin/node');
  expect(existsSync(program)).toBe(true);
  expect(rest).toEqual([]);
  const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(manifest).toMatchObject({ bin: { rowhouse: program } });
});

test('the unit runs where and as whom docs/production.md has installed the server', () => {
  const page = readFileSync('docs/production.md', 'utf8');
  const [, home, user] = /^useradd .*--home-dir (\S+) (\w+)$/m.exec(page) ?? [];
  const [, folder] = /^git clone .* (\w+)$/m.exec(page) ?? [];
  expect(valueOf('User')).toBe(user);
  expect(valueOf('WorkingDirectory')).toBe(`${home}/${folder}`);
  expect(page).toContain(`# ${valueOf('EnvironmentFile')}`);
});
