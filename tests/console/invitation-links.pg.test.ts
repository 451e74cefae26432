// Who sees the link of an invitation. With it, an operator could accept for an address that is another person's.
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startConsole, testPassword, type TestConsole } from './console-under-test.js';
import { uniqueWord } from './control-plane-fixture.js';
import { addMember, mailedToken } from './members-fixture.js';

const logged: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
const path = '/platform/operators/invitations';
const address = () => `${uniqueWord('link')}@test.example`;

let site: TestConsole;
let mute: TestConsole;
beforeAll(async () => {
  site = await startConsole({ log });
  mute = await startConsole({ log, canMail: false });
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await mute[Symbol.asyncDispose]();
});

const routes = [
  { route: path, of: () => path },
  {
    route: 'the members of an organization',
    of: ({ fixture }: TestConsole) => `/platform/organizations/${fixture.organizationId}/members`,
  },
];

/** Invites by one of the routes: that of members takes the organization from its path. */
function invite(on: TestConsole, token: string, input: { readonly to: string; email: string }) {
  const { to, email } = input;
  const { organizationId } = on.fixture;
  const body = { email, role: 'viewer', ...(to === path && { organizationId }) };
  return on.call('POST', to, { token, body });
}

const administrator = (on: TestConsole) => on.signIn(on.admin.email, on.admin.password);
/** An owner of the organization who does not administer the deployment. */
const owner = (on: TestConsole) =>
  addMember(on, { organizationId: on.fixture.organizationId, ref: '' }, { role: 'owner' });
const sql = <T>(on: TestConsole, text: string, values: unknown[]): Promise<T[]> =>
  on.fixture.controlPlane.dataSource.query(text, values);

describe.each(routes)('with a mail server, over $route', ({ of }) => {
  test('an owner invites without seeing the link, and the mail has it', async () => {
    const { token, email: inviter } = await owner(site);
    const email = address();
    const { status, body, text } = await invite(site, token, { to: of(site), email });
    expect(status).toBe(201);
    expect(body).toMatchObject({ email, mail: { status: 'queued' } });
    expect(body).not.toHaveProperty('inviteUrl');
    const secret = await mailedToken(site, body.id);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(text).not.toContain(secret);

    const ask = `?organizationId=${site.fixture.organizationId}`;
    const admin = await administrator(site);
    const seen = [
      await site.call('GET', `${path}${ask}`, { token }),
      await site.call('GET', `${path}${ask}`, { token: admin }),
      await site.call('GET', '/platform/audit?action=operator.invite', { token: admin }),
      await site.call('POST', `${path}/${body.id}/mail${ask}`, { token }),
    ];
    for (const shown of [...seen.map((reply) => reply.text), ...logged]) {
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain('#token=');
    }
    const accepted = await site.call('POST', `${path}/accept`, {
      body: { token: secret, password: testPassword },
    });
    expect(accepted).toMatchObject({ status: 200, body: { email } });
    const entries = seen[2]?.body.entries;
    expect(entries).toContainEqual(
      expect.objectContaining({
        action: 'operator.invite',
        operatorEmail: inviter,
        target: body.id,
        after: expect.objectContaining({ email, role: 'viewer' }),
      }),
    );
  });

  test('an owner who invites again does not see the link either', async () => {
    const { token } = await owner(site);
    const admin = await administrator(site);
    const email = address();
    const first = await invite(site, admin, { to: of(site), email });
    expect(first.body.inviteUrl).toContain('#token=');
    const second = await invite(site, token, { to: of(site), email });
    expect(second.status).toBe(201);
    expect(second.text).not.toContain('#token=');
  });
});

describe.each(routes)('without a mail server, over $route', ({ of }) => {
  test('an owner is refused before anything is written', async () => {
    const { token, operatorId } = await owner(mute);
    const email = address();
    const earlier = await invite(mute, await administrator(mute), { to: of(mute), email });
    expect(earlier).toMatchObject({ status: 201, body: { mail: null } });
    expect(earlier.body.inviteUrl).toContain('#token=');
    const refused = await invite(mute, token, { to: of(mute), email });
    expect(refused).toMatchObject({ status: 403, body: { code: 'INVITATION_MAIL_REQUIRED' } });
    expect(refused.body.message).toMatch(/SMTP_HOST.*administrator of the deployment/);
    const kept = 'select id from operator_invitation where email = $1';
    expect(await sql(mute, kept, [email])).toEqual([{ id: earlier.body.id }]);
    const written = `select 1 from audit_entry where operator_id = $1 and action like 'operator.invit%'
      union all select 1 from operator_attempt where key = 'invite-by:' || $1`;
    expect(await sql(mute, written, [operatorId])).toEqual([]);
  });
});
