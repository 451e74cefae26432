import { describe, expect, test } from 'vitest';
import { applyWrite } from './apply-write.js';
import type { Group } from './define-group.js';
import { fieldsIn, type Fields, type IntegerField } from './field.js';
import { describe as describeGroup } from './describe.js';
import {
  capabilityOfGroup,
  findGroup,
  findGroupCapability,
  getGroup,
  resolveAll,
  SETTINGS_GROUPS,
  type SettingsOf,
} from './groups.js';
import { smtp } from './groups/smtp.js';
import { readiness } from './readiness.js';
import { redact } from './redact.js';
import { resolve } from './resolve.js';

/** Fields that hold a secret, or say where something is sent or which code answers. */
const routing =
  /"kind":"secret"|"format":"(?:url|redirect-url|host|function-name|edge-function|sender)"/;

describe('the list of groups', () => {
  test('is described without values and without names of variables', () => {
    const forms = JSON.stringify(SETTINGS_GROUPS.map((group) => describeGroup(group)));
    expect(forms).not.toMatch(/SMTP_/);
  });

  test('has every name once, and every default fits its own field', () => {
    expect(new Set(SETTINGS_GROUPS.map(({ name }) => name)).size).toBe(SETTINGS_GROUPS.length);
    for (const group of SETTINGS_GROUPS) {
      const defaults = redact(group, { stored: undefined, env: {} });
      expect(() => applyWrite(group, { stored: undefined, env: {}, body: defaults })).not.toThrow();
    }
  });

  test('names no variable in entries, where none is asked', () => {
    const fields = SETTINGS_GROUPS.flatMap((group: Group) => Object.values(group.fields));
    const inEntries = fields.flatMap((field) =>
      field.kind === 'entries' ? Object.values(field.fields) : [],
    );
    expect(inEntries.length).toBeGreaterThan(0);
    expect(inEntries.filter((field) => 'env' in field)).toEqual([]);
  });

  test('needs secrets.manage where a group holds a secret or an address that it sends to', () => {
    const open = SETTINGS_GROUPS.filter(({ capability }) => capability === 'settings.manage');
    const names = open.map(({ name }) => name);
    expect(names.filter((name) => JSON.stringify(getGroup(name)).match(routing))).toEqual([]);
  });

  test('leaves settings.manage the groups that prove nothing about a person', () => {
    const open = SETTINGS_GROUPS.filter(({ capability }) => capability === 'settings.manage');
    // Each name that is added here needs the answer to: can its writer come into an account of somebody else?
    expect(open.map(({ name }) => name).sort()).toEqual([
      'auth.apiKey',
      'auth.methods.anonymous',
      'auth.signup',
      'functions',
      'realtime',
      'security.keys',
    ]);
  });

  test('says what each group needs, whatever the case of its name', () => {
    expect(capabilityOfGroup('AUTH.thirdparty')).toBe('secrets.manage');
    expect(capabilityOfGroup('auth.urls')).toBe('secrets.manage');
    expect(capabilityOfGroup('email.templates')).toBe('secrets.manage');
    expect(capabilityOfGroup('auth.signup')).toBe('settings.manage');
  });

  test('needs the strictest capability if it is unknown', () => {
    expect(findGroupCapability('no.group')).toBeUndefined();
    expect(capabilityOfGroup('no.group')).toBe('secrets.manage');
  });

  test('is found by name', () => {
    expect(findGroup('api.rest')?.title).toBe('REST API');
    expect(findGroup('api.nothing')).toBeUndefined();
    expect(() => getGroup('api.nothing')).toThrow('There is no settings group api.nothing');
  });

  test('resolves to typed values', () => {
    const settings = resolveAll({ 'api.rest': { maxRows: 5000 } }, { SMTP_HOST: 'mail.example' });
    const rest: { readonly maxRows: number } = settings['api.rest'];
    const smtp: SettingsOf<'email.smtp'> = settings['email.smtp'];
    const host: string | undefined = smtp.host;
    // @ts-expect-error a text without a default may be absent
    const certain: string = smtp.host;
    // @ts-expect-error there is no such field
    const unknown: unknown = smtp.nothing;
    expect(rest).toEqual({
      maxRows: 1000,
      maxBodyBytes: 10_485_760,
      statementTimeoutAnon: 8,
      statementTimeoutAuthenticated: 8,
      statementTimeoutService: 8,
      functionSchemas: [],
      definerFunctions: [],
    });
    expect([host, certain, unknown]).toEqual(['mail.example', 'mail.example', undefined]);
  });
});

describe('readiness', () => {
  test.each([
    { name: 'nothing set', stored: {}, missing: ['host', 'from'] },
    {
      name: 'a user without a password',
      stored: { host: 'm.de', from: 'a@b.de', user: 'u' },
      missing: ['password'],
    },
    { name: 'a relay without a login', stored: { host: 'm.de', from: 'R <a@b.de>' }, missing: [] },
  ])('email.smtp: $name', ({ stored, missing }) => {
    expect(readiness(smtp, resolve(smtp, { stored, env: {} })).missing).toEqual(missing);
  });
});

/** Every integer of the fields, with the names on the way to it. */
function integersIn(fields: Fields, path: readonly string[] = []): Integer[] {
  return fieldsIn(fields).flatMap(([name, field]): Integer[] => {
    if (field.kind === 'integer') return [{ path: [...path, name], field }];
    return field.kind === 'object' ? integersIn(field.fields, [...path, name]) : [];
  });
}

interface Integer {
  readonly path: readonly string[];
  readonly field: IntegerField;
}

const integers = SETTINGS_GROUPS.flatMap((group: Group) =>
  integersIn(group.fields).map((integer) => ({
    ...integer,
    group,
    name: `${group.name} ${integer.path.join('.')}`,
  })),
);
/** Those that the specification clamps, and what it makes of two values. */
const CLAMPED: Readonly<Record<string, readonly (readonly [given: number, kept: number])[]>> = {
  'auth.phoneOtp otpLength': [
    [-3, 4],
    [11, 10],
  ],
  'api.rest maxRows': [[5000, 1000]],
};

function write(group: Group, path: readonly string[], value: number) {
  const body = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  return applyWrite(group, { stored: undefined, env: {}, body });
}

describe('a whole number outside of its limits', () => {
  const refused = integers.filter(({ name }) => !Object.hasOwn(CLAMPED, name));
  test.each(refused)('is refused and named: $name', ({ group, path, field }) => {
    const [min, max] = field.range ?? [NaN, NaN];
    for (const value of [min - 1, max + 1, -1, -3, 1.5]) {
      expect(() => write(group, path, value)).toThrow(path.join('.'));
    }
    for (const value of [min, max]) expect(() => write(group, path, value)).not.toThrow(/must be/);
  });

  test.each(Object.entries(CLAMPED))('%s is moved into them by the specification', (name, rows) => {
    const found = integers.find((integer) => integer.name === name);
    if (!found) throw new Error('there is no such field');
    for (const [given, kept] of rows) {
      expect(write(found.group, found.path, given)).toEqual({ [found.path[0] ?? '']: kept });
    }
  });

  test.each([0, -3])('api.rest maxRows %i is refused: no cap covers it', (value) => {
    expect(() => write(getGroup('api.rest'), ['maxRows'], value)).toThrow('maxRows');
  });
});
