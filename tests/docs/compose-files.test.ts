// docker/compose*.yaml as Docker reads them: parsed, with their anchors merged. No container is started.
import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { parseEnv } from '../../bin/env.js';

interface Service {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly env_file?: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const example = readFileSync('docker/.env.example', 'utf8');
const variables = [...example.matchAll(/^#?([A-Z0-9_]+)=/gm)].map(([, name = '']) => name);

/** Values for what an operator must set. */
const given: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'secret',
  MASTER_KEY: '0'.repeat(64),
  OPERATOR_EMAIL: 'me@example.com',
  OPERATOR_PASSWORD: 'correct horse battery',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
};

/** The environment of a container, with `${NAME}` and `${NAME:?message}` replaced. */
function environmentOf({ environment = {} }: Service): Record<string, string> {
  const filled = (value: string | number): string =>
    String(value).replaceAll(/\$\{([A-Z0-9_]+)[^}]*\}/g, (_, name: string) => given[name] ?? '');
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, filled(value)]),
  );
}

/** The names of a list, or of a mapping. */
function namesIn(list: Service['depends_on'] = []): readonly string[] {
  return Array.isArray(list) ? list : Object.keys(list);
}

describe.each(['docker/compose.yaml', 'docker/compose.parts.yaml'])('%s', (file) => {
  // Throws where the text is no YAML, or names a key twice or an anchor that it does not have.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the tests are about the fields
  const { services, volumes } = parse(readFileSync(file, 'utf8'), { merge: true }) as Compose;
  const own = Object.entries(services).filter(([, { image }]) => image === 'rowhouse');

  test('builds its own image from files that are there', () => {
    expect(own.length).toBeGreaterThan(0);
    for (const [, { build, env_file: envFile }] of own) {
      expect(build).toEqual({ context: '..', dockerfile: 'docker/Dockerfile' });
      expect(envFile).toBe('.env');
    }
    expect(existsSync('docker/Dockerfile')).toBe(true);
  });

  test.each(own)(
    '%s sets variables of the example alone, and the server accepts them',
    (_, part) => {
      const environment = environmentOf(part);
      expect(variables).toEqual(expect.arrayContaining(Object.keys(environment)));
      expect(() => parseEnv(environment)).not.toThrow();
      expect(parseEnv(environment).dataDir).toBe('/data');
    },
  );

  test('other images have a version', () => {
    const others = Object.values(services).map(({ image }) => image);
    for (const image of others.filter((name) => name !== 'rowhouse')) {
      expect(image).toMatch(/^docker\.io\/[a-z]+\/[a-z]+:v?\d+(\.\d+)*$/);
    }
  });

  test('what a service waits for and keeps data in is declared', () => {
    for (const { depends_on: waitsFor, volumes: mounts = [] } of Object.values(services)) {
      expect(Object.keys(services)).toEqual(expect.arrayContaining([...namesIn(waitsFor)]));
      const named = mounts.map((mount) => mount.slice(0, mount.indexOf(':')));
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named));
    }
  });
});
