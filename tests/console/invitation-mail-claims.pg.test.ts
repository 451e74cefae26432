// Which mails of invitations may be sent now, over all workers together.
import { claimInvitationMail, invite, listDueInvitationMails } from '#libs/control-plane';
import { CAPABILITIES } from '#libs/wire';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ControlPlaneFixture, openFixture, uniqueWord } from './control-plane-fixture.js';

let fixture: ControlPlaneFixture;
beforeAll(async () => {
  fixture = await openFixture();
}, 60_000);
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
}, 60_000);
beforeEach(async () => {
  await fixture.controlPlane.dataSource.query('delete from operator_message');
});

/** Makes an invitation and returns its id. */
async function inviteOne(): Promise<string> {
  const { controlPlane, actor, organizationId } = fixture;
  const invitation = await invite(
    controlPlane,
    { actor, capabilities: CAPABILITIES },
    {
      email: `${uniqueWord('m')}@test.example`,
      organizationId,
      grant: { role: 'viewer' },
      urlOf: (token) => `http://console.test/#${token}`,
      isMailed: true,
    },
  );
  return invitation.id;
}

async function listDue(): Promise<readonly string[]> {
  return (await listDueInvitationMails(fixture.controlPlane.dataSource)).map(({ id }) => id);
}

test('four are sent at a time, those first that wait longest', async () => {
  const ids: string[] = [];
  // One after the other: their order is that of their times.
  for (let count = 0; count < 6; count += 1) ids.push(await inviteOne());
  expect(await listDue()).toEqual(ids.slice(0, 4));
  for (const id of ids.slice(0, 3)) await claimInvitationMail(fixture.controlPlane, id);
  expect(await listDue()).toEqual(ids.slice(3, 4));
  await claimInvitationMail(fixture.controlPlane, ids[3] ?? '');
  expect(await listDue()).toEqual([]);
});

test('organizations take turns', async () => {
  const ids: string[] = [];
  for (let count = 0; count < 5; count += 1) ids.push(await inviteOne());
  const other = await inviteOne();
  const { dataSource } = fixture.controlPlane;
  const word = uniqueWord('turn');
  await dataSource.query('insert into organization (id, name, slug) values ($1, $1, $1)', [word]);
  await dataSource.query('update operator_invitation set organization_id = $1 where id = $2', [
    word,
    other,
  ]);
  expect(await listDue()).toEqual([ids[0], other, ids[1], ids[2]]);
});

test('of several that claim a mail at once, one gets it', async () => {
  const id = await inviteOne();
  const claims = await Promise.all(
    Array.from({ length: 5 }, () => claimInvitationMail(fixture.controlPlane, id)),
  );
  expect(claims.filter((claim) => claim !== undefined)).toMatchObject([{ id, attempts: 1 }]);
});
