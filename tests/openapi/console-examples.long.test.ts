// The routes of the console as the description has them: the example of each is sent, and the answer is one that is
// described.
import { afterAll, beforeAll, expect, vi, test } from 'vitest';

import { freePort } from '#libs/testing';

import { codeAfter, codeFor } from '../support/authenticator.js';
import { asRecord, Deployment } from '../support/deployment.js';
import { type Reply, send } from '../support/http.js';
import { Contract, listAt, textsAt } from './contract.js';
import { bearer } from '../support/replies.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let deployment: Deployment;
let contract: Contract;
let as: Readonly<Record<string, string>>;
beforeAll(async () => {
  // No server listens there: the mails of invitations wait.
  const mailPort = String(await freePort());
  const env = { SMTP_HOST: '127.0.0.1', SMTP_PORT: mailPort, SMTP_FROM: 'a@example.org' };
  deployment = await Deployment.open({ env });
  as = { authorization: `Bearer ${deployment.operatorToken}` };
  const { body } = await send(deployment.consoleOrigin, { path: '/docs/json' });
  contract = new Contract(asRecord(body), (call) => send(deployment.consoleOrigin, call));
});
afterAll(() => deployment.close());

const at = (reply: Reply, name: string) => String(asRecord(reply.body)[name]);
const tokenIn = (url: string) => new URL(url).hash.slice('#token='.length);
const organizations = '/platform/organizations';
const ofOrganization = `${organizations}/{organizationId}`;
const projects = '/platform/projects';
const ofProject = `${projects}/{ref}`;

async function signIn(email: string, password: string, headers = {}): Promise<Reply> {
  return contract.try('POST /platform/login', { live: { email, password }, headers });
}

/** A new operator, by invitation. Returns the session token and the id. */
async function newOperator(organizationId: string, email: string) {
  const invited = await contract.try('POST /platform/operators/invitations', {
    as,
    live: { organizationId, email },
  });
  const accepted = await contract.try('POST /platform/operators/invitations/accept', {
    live: { token: tokenIn(at(invited, 'inviteUrl')) },
  });
  const token = at(await signIn(email, 'correct horse battery'), 'token');
  return { email, token, id: at(accepted, 'operatorId') };
}

const newOrganization = async (name: string) =>
  at(await contract.try(`POST ${organizations}`, { as, live: { name } }), 'id');

test('the example of each body is there and fits its schema', () => {
  expect(contract.exampleProblems()).toEqual([]);
});

test('the server', async () => {
  await contract.try('GET /livez');
  await contract.try('GET /readyz');
});

test('the deployment', async () => {
  await contract.try('GET /platform/deployment', { as });
  await contract.try('GET /platform/deployment/environment', { as });
});

test('sign-in, password and sessions', async () => {
  const operator = await newOperator(await newOrganization('Sessions'), 'sessions@example.org');
  const own = bearer(operator.token);
  await contract.try('GET /auth/get-session', { as: own });
  const other = at(await signIn(operator.email, 'correct horse battery'), 'token');
  const listed = await contract.try('GET /platform/sessions', { as: own });
  const sessions = listed.body as readonly { readonly id: string; readonly isCurrent: boolean }[];
  const id = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? other;
  await contract.try('DELETE /platform/sessions/{id}', { as: own, path: { id } });
  await contract.try('POST /platform/password', { as: own });
  await contract.try('POST /auth/sign-out', {
    as: bearer(at(await signIn(operator.email, 'another good password'), 'token')),
  });
});

test('the second factor', async () => {
  const operator = await newOperator(await newOrganization('Factors'), 'factor@example.org');
  const own = bearer(operator.token);
  const factor = '/auth/two-factor';
  const uri = at(await contract.try(`POST ${factor}/enable`, { as: own }), 'totpURI');
  await contract.try(`POST ${factor}/verify-totp`, { as: own, live: { code: codeFor(uri) } });
  const challenge = async () =>
    bearer(at(await signIn(operator.email, 'correct horse battery'), 'token'));
  const code = codeAfter(uri, 1);
  const verified = await contract.try(`POST ${factor}/verify-totp`, {
    as: await challenge(),
    live: { code },
  });
  const session = bearer(at(verified, 'token'));
  const renewed = await contract.try(`POST ${factor}/generate-backup-codes`, { as: session });
  const backupCodes = textsAt(renewed, 'backupCodes');
  await contract.try(`POST ${factor}/verify-backup-code`, {
    as: await challenge(),
    live: { code: backupCodes[0] },
  });
  const devices = await contract.try(`GET ${factor}/trusted-devices`, { as: session });
  const [device] = devices.body as readonly { readonly id: string }[];
  await contract.try(`DELETE ${factor}/trusted-devices/{id}`, {
    as: session,
    path: { id: device?.id ?? '' },
  });
  await contract.try(`POST ${factor}/disable`, { as: session });
});

test('operators and invitations', async () => {
  const organizationId = await newOrganization('Operators');
  const query = { organizationId };
  const invitations = '/platform/operators/invitations';
  await contract.try(`POST ${invitations}`, { as, live: { organizationId } });
  const listed = await contract.try(`GET ${invitations}`, { as, query });
  const [invitation] = listAt(listed, 'invitations');
  const path = { id: String(invitation?.['id']) };
  await contract.try(`POST ${invitations}/{id}/mail`, { as, path, query });
  await contract.try(`DELETE ${invitations}/{id}`, { as, path, query });
  const { id } = await newOperator(organizationId, 'grace@example.org');
  await contract.try('GET /platform/operators', { as });
  await contract.try('POST /platform/operators/{id}/reset', { as, path: { id } });
  await contract.try('GET /platform/operators/{id}/sessions', { as, path: { id } });
  await contract.try('DELETE /platform/operators/{id}/sessions', { as, path: { id } });
  const other = await newOperator(organizationId, 'other@example.org');
  const open = await contract.try('GET /platform/operators/{id}/sessions', {
    as,
    path: { id: other.id },
  });
  const [session] = open.body as readonly { readonly id: string }[];
  await contract.try('DELETE /platform/operators/{id}/sessions/{sessionId}', {
    as,
    path: { id: other.id, sessionId: session?.id ?? '' },
  });
  await contract.try('PATCH /platform/operators/{id}', { as, path: { id } });
  await contract.try('DELETE /platform/operators/{id}', { as, path: { id } });
});

test('organizations and members', async () => {
  const organizationId = await newOrganization('Acme');
  const path = { organizationId };
  await contract.try(`GET ${organizations}`, { as });
  await contract.try(`GET ${ofOrganization}`, { as, path });
  await contract.try(`PATCH ${ofOrganization}`, { as, path });
  await contract.try(`POST ${ofOrganization}/members`, { as, path });
  const { id: operatorId } = await newOperator(organizationId, 'member@example.org');
  await contract.try('GET /platform/memberships', { as });
  const elsewhere = await newOrganization('Elsewhere');
  await contract.try(`POST ${ofOrganization}/memberships`, {
    as,
    path: { organizationId: elsewhere },
    live: { operatorId },
  });
  const listed = await contract.try(`GET ${ofOrganization}/members`, { as, path });
  const member = listAt(listed, 'members').find(({ email }) => email === 'member@example.org');
  const membershipId = String(member?.['id']);
  const ofMember = { ...path, membershipId };
  await contract.try(`PATCH ${ofOrganization}/members/{membershipId}`, { as, path: ofMember });
  await contract.try(`DELETE ${ofOrganization}/members/{membershipId}`, { as, path: ofMember });
  await contract.try(`GET ${ofOrganization}/audit`, { as, path });
  await contract.try(`DELETE ${ofOrganization}`, { as, path });
});

test('projects with keys, domains and what is forwarded to them', async () => {
  const organizationId = await newOrganization('Projects');
  const made = await contract.try(`POST ${projects}`, { as, live: { organizationId } });
  const path = { ref: at(made, 'ref') };
  await contract.try(`GET ${projects}`, { as });
  await contract.try(`GET ${ofProject}`, { as, path });
  await contract.try(`PATCH ${ofProject}`, { as, path });
  await contract.try(`GET ${ofProject}/status`, { as, path });
  await contract.try(`GET ${ofProject}/database`, { as, path });
  await contract.try(`POST ${ofProject}/database/password`, { as, path });
  await contract.try(`GET ${ofProject}/audit`, { as, path });
  await contract.try('GET /platform/audit', { as });
  await contract.try('GET /platform/usage', { as });
  await contract.try(`GET ${ofProject}/usage`, { as, path });
  await tryKeys(path);
  await tryDomains(path);
  await contract.try(`PUT ${ofProject}/limits`, { as, path });
  await contract.try(`GET ${ofProject}/limits`, { as, path });
  await contract.try(`POST ${ofProject}/pause`, { as, path });
  await contract.try(`POST ${ofProject}/resume`, { as, path });
  await contract.try(`DELETE ${ofProject}`, { as, path });
  const waiting = await contract.try('GET /platform/operations', { as, query: path });
  const [deletion] = asRecord(waiting.body)['operations'] as readonly { readonly id: string }[];
  await contract.try('POST /platform/operations/{id}/retry', {
    as,
    path: { id: deletion?.id ?? '' },
  });
  await contract.try(`POST ${ofProject}/restore`, { as, path });
  await contract.try(`DELETE ${ofProject}`, { as, path, query: { now: 'true' } });
});

async function tryKeys(path: { readonly ref: string }): Promise<void> {
  await contract.try(`GET ${ofProject}/keys`, { as, path });
  await contract.try(`POST ${ofProject}/keys/rotate`, { as, path });
  const added = await contract.try(`POST ${ofProject}/keys`, { as, path });
  await contract.try(`DELETE ${ofProject}/keys/{id}`, {
    as,
    path: { ...path, id: at(added, 'id') },
  });
}

async function tryDomains(path: { readonly ref: string }): Promise<void> {
  const added = await contract.try(`POST ${ofProject}/domains`, { as, path });
  const ofDomain = { ...path, domain: at(added, 'domain') };
  await contract.try(`GET ${ofProject}/domains`, { as, path });
  await contract.try(`GET ${ofProject}/domains/{domain}/dns`, { as, path: ofDomain });
  await contract.try(`POST ${ofProject}/domains/{domain}/verify`, { as, path: ofDomain });
  await contract.try(`POST ${ofProject}/domains/{domain}/vouch`, { as, path: ofDomain });
  await contract.try(`DELETE ${ofProject}/domains/{domain}`, { as, path: ofDomain });
}

/** Files that the deployment hands out only when it was built, and what projects answer themselves. */
const notMine = /^GET \/client[.-]|\/platform\/projects\/\{ref\}\/api\/\{path\}$/;

test('every route was tried', () => {
  expect(contract.untried((where) => !notMine.test(where))).toEqual([]);
});

test('routes that need a session are refused without one', async () => {
  expect(await contract.refusalProblems()).toEqual([]);
});
