// docs/operators.md: the commands to invite an operator and to turn on the second factor run as printed, and the
// routes that the page names exist.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

import { codeAfter, codeFor } from '../support/authenticator.js';
import { asRecord, Deployment, operatorEmail, operatorPassword } from '../support/deployment.js';
import { send } from '../support/http.js';
import { readFences } from '../support/markdown.js';
import { listAt } from '../openapi/contract.js';
import { hasPrograms } from './run-steps.js';

const page = readFileSync('docs/operators.md', 'utf8');
const fences = readFences(page).filter(({ language }) => language === 'sh');
const canRun = hasPrograms('bash', 'curl');
if (!canRun) console.warn('skipped: docs/operators.md needs bash and curl to be run');

let deployment: Deployment;
beforeAll(async () => {
  deployment = await Deployment.open();
});
afterAll(() => deployment.close());

/** Runs the commands of the page that contain `part`. Returns the JSON that they print. */
async function run(part: string, given: Readonly<Record<string, string>>) {
  const found = fences.filter((fence) => fence.text.includes(part));
  expect(found).toHaveLength(1);
  const { PATH = '' } = process.env;
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', found[0]?.text ?? ''], {
    env: { PATH, CONSOLE: deployment.consoleOrigin, ...given },
  });
  const [printed, errors, [code]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close'),
  ]);
  expect(code, errors).toBe(0);
  return asRecord(JSON.parse(printed));
}

test('the routes that it names are routes of the console', async () => {
  const { body } = await send(deployment.consoleOrigin, { path: '/docs/json' });
  const paths = asRecord(asRecord(body)['paths']);
  const described = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.keys(asRecord(verbs)).map((verb) => `${verb.toUpperCase()} ${path}`),
  );
  const named = [...page.matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/(?:platform|auth)[^\s`?]*)/g)]
    .map(([, route = '']) => route.replaceAll(/:\w+|\bshop\b/g, '{}'))
    .filter((route) => !route.includes('/api/'));
  const known = new Set(described.map((route) => route.replaceAll(/\{\w+\}/g, '{}')));
  expect(named.length).toBeGreaterThan(15);
  const missing = named.filter((route) => !known.has(route));
  expect(missing).toEqual([]);
});

test.runIf(canRun)('an operator is invited and accepts as the page says', async () => {
  const invited = await run('operators/invitations"', { OPERATOR: deployment.operatorToken });
  expect(invited).toMatchObject({ inviteUrl: expect.stringContaining('#token='), mail: null });
  const accepted = await run('operators/invitations/accept"', {
    INVITED: JSON.stringify(invited),
  });
  expect(accepted).toMatchObject({ operatorId: expect.any(String) });
});

test.runIf(canRun)('a member is invited and the members are listed as the page says', async () => {
  const OPERATOR = deployment.operatorToken;
  const listed = await deployment.console({ path: '/platform/organizations' });
  const [organization] = listAt(listed, 'organizations');
  const given = { OPERATOR, ORGANIZATION: String(organization?.['id']) };
  const invited = await run('/members" ', given);
  expect(invited).toMatchObject({ email: 'grace@example.org', role: 'support' });
  const page = await run('/members?limit=1"', given);
  expect(page['members']).toEqual([expect.objectContaining({ role: expect.any(String) })]);
});

test.runIf(canRun)('a second factor is turned on as the page says', async () => {
  const OPERATOR = deployment.operatorToken;
  const enrolment = await run('two-factor/enable', { OPERATOR, PASSWORD: operatorPassword });
  expect(enrolment).toMatchObject({ totpURI: expect.stringContaining('otpauth://') });
  const CODE = codeFor(String(enrolment['totpURI']));
  const confirmed = await run('verify-totp" -H "authorization: Bearer $OPERATOR"', {
    OPERATOR,
    CODE,
  });
  const headers = { authorization: `Bearer ${String(confirmed['token'])}` };
  const path = '/platform/sessions';
  expect((await send(deployment.consoleOrigin, { path, headers })).status).toBe(200);
  expect((await deployment.console({ path })).status).toBe(401);
  const login = { EMAIL: operatorEmail, PASSWORD: operatorPassword };
  const signedIn = await run('CHALLENGE=', {
    ...login,
    CODE: codeAfter(String(enrolment['totpURI']), 1),
  });
  const session = { authorization: `Bearer ${String(signedIn['token'])}` };
  expect((await send(deployment.consoleOrigin, { path, headers: session })).status).toBe(200);
});
