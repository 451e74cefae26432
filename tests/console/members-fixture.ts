import {
  addMembership,
  claimInvitationMail,
  createOrganization,
  createProject,
  type Grant,
} from '#libs/control-plane';
import type { TestConsole } from './console-under-test.js';
import { uniqueWord } from './control-plane-fixture.js';

/** An organization with one project, made below the routes. */
export interface OwnedProject {
  readonly organizationId: string;
  readonly ref: string;
}

export async function openOwnedProject(console: TestConsole): Promise<OwnedProject> {
  const { controlPlane, context } = console.fixture;
  const owner = await console.addOperator();
  const actor = { operatorId: owner.id, email: owner.email, ip: '127.0.0.1', requestId: 'test' };
  const organizationId = await createOrganization(controlPlane.dataSource.manager, actor, {
    name: uniqueWord('Owner '),
    ownerId: owner.id,
  });
  const ref = uniqueWord('h');
  await createProject(context, actor, { name: 'Owned', ref, organizationId });
  return { organizationId, ref };
}

/** Returns the session token of a new operator who is a member of the organization or of its project. */
export async function addMember(
  console: TestConsole,
  owned: OwnedProject,
  grant: Grant,
  where: 'organization' | 'project' = 'organization',
): Promise<{ readonly token: string; readonly operatorId: string; readonly email: string }> {
  const operator = await console.addOperator();
  await addMembership(console.fixture.controlPlane.dataSource.manager, {
    operatorId: operator.id,
    organizationId: owned.organizationId,
    ...(where === 'project' && { projectRef: owned.ref }),
    grant,
  });
  const token = await console.signIn(operator.email, operator.password);
  return { token, operatorId: operator.id, email: operator.email };
}

/** The token of an invitation, from the mail that a worker would send now. */
export async function mailedToken(console: TestConsole, invitationId: string): Promise<string> {
  const mail = await claimInvitationMail(console.fixture.controlPlane, invitationId);
  return mail?.values().url.split('#token=')[1] ?? '';
}
