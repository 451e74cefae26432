import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { AppError } from '#libs/errors';
import { group as sample } from '../tests/sample-group.js';
import { bodyOf, environmentOf, secretMark, storedOf } from '../tests/settings-arbitraries.js';
import { applyWrite, type Write } from './apply-write.js';
import type { ObjectValue } from './decode.js';
import type { Group } from './define-group.js';
import { describe as describeGroup } from './describe.js';
import type { Fields } from './field.js';
import { SETTINGS_GROUPS } from './groups.js';
import { partsOf, readiness } from './readiness.js';
import { redact } from './redact.js';
import { resolve } from './resolve.js';
import { mapSecrets } from './secrets.js';

const groups: readonly Group[] = [sample, ...SETTINGS_GROUPS];
// The sample has every kind of field; the real groups differ in their own rules only.
const named = groups.map((group) => ({
  name: group.name,
  group,
  limits: { numRuns: group === sample ? 300 : 20 },
}));

/** What is stored after a write, or the refusal; anything else that is thrown is a defect. */
function tryWrite(group: Group, write: Write): ObjectValue | AppError {
  try {
    return applyWrite(group, write);
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_INPUT') return error;
    throw error;
  }
}

/** Whether a path such as `google.clientId` or `providers[0].clientId` leads to a field. */
function leadsToField(fields: Fields, path: string): boolean {
  const [step = '', ...rest] = path.split('.');
  const name = step.replace(/\[\d+\]$/, '');
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field === undefined || rest.length === 0) return field !== undefined;
  return 'fields' in field && leadsToField(field.fields, rest.join('.'));
}

describe.each(named)('$name', ({ group, limits }) => {
  const history = { body: bodyOf(group), stored: bodyOf(group), env: environmentOf(group) };

  test('writing what was read changes nothing', () => {
    fc.assert(
      fc.property(fc.record(history), ({ body, stored, env }) => {
        const first = tryWrite(group, { body, stored, env });
        if (first instanceof AppError) return;
        const sources = { stored: first, env };
        const read = redact(group, sources);
        const second = applyWrite(group, { body: read, ...sources });
        const again = { stored: second, env };
        expect(resolve(group, again)).toEqual(resolve(group, sources));
        expect(redact(group, again)).toEqual(read);
        expect(applyWrite(group, { body: redact(group, again), ...again })).toEqual(second);
      }),
      limits,
    );
  });

  test('no secret is read back, neither a stored one nor one of the environment', () => {
    fc.assert(
      fc.property(fc.record(history), ({ stored, env }) => {
        expect(JSON.stringify(redact(group, { stored, env }))).not.toContain(secretMark);
      }),
      limits,
    );
    expect(JSON.stringify(describeGroup(group))).not.toContain(secretMark);
  });

  test('sealing leaves no secret open, gives each a path of its own, and can be undone', () => {
    fc.assert(
      fc.property(bodyOf(group), (body) => {
        const paths: string[] = [];
        const closed = mapSecrets(group, body, (secret, path) => {
          paths.push(path);
          return Buffer.from(secret).toString('hex');
        });
        expect(JSON.stringify(closed)).not.toContain(secretMark);
        expect(new Set(paths).size).toBe(paths.length);
        const opened: string[] = [];
        const open = mapSecrets(group, closed, (sealed, path) => {
          opened.push(path);
          return Buffer.from(sealed, 'hex').toString();
        });
        expect(open).toEqual(body);
        expect(opened).toEqual(paths);
      }),
      limits,
    );
  });

  test('whatever is stored resolves to values that may be written', () => {
    fc.assert(
      fc.property(storedOf(group), environmentOf(group), (stored, env) => {
        const read = redact(group, { stored, env });
        const refused = tryWrite(group, { body: read, stored, env });
        // Values that fit one by one may still contradict each other.
        const conflict = group.conflict(resolve(group, { stored, env }));
        expect(refused instanceof AppError).toBe(conflict !== undefined);
      }),
      limits,
    );
  });

  test('readiness and refusals name fields of the group', () => {
    fc.assert(
      fc.property(storedOf(group), environmentOf(group), (stored, env) => {
        const values = resolve(group, { stored, env });
        const conflict = group.conflict(values);
        const paths = [
          ...group.required(values),
          ...readiness(group, values).missing,
          ...partsOf(group, values).flatMap(({ missing }) => missing),
          ...(conflict ? [conflict.field] : []),
        ];
        expect(paths.filter((path) => !leadsToField(group.fields, path))).toEqual([]);
      }),
      limits,
    );
  });
});
