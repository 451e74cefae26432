import { addMembership, createOrganization, createProject, type Grant } from '#libs/control-plane';
import type { TestConsole } from './console-under-test.js';
import { uniqueWord } from './control-plane-fixture.js';

/** An organization with one project, made below the routes. */
export interface Deployment {
  readonly organizationId: string;
  readonly ref: string;
}

export async function openDeployment(console: TestConsole): Promise<Deployment> {
  const { controlPlane, context } = console.fixture;
  const owner = await console.addOperator();
  const actor = { operatorId: owner.id, email: owner.email, ip: '127.0.0.1', requestId: 'test' };
  const organizationId = await createOrganization(controlPlane.dataSource.manager, actor, {
    name: uniqueWord('Deployment '),
    ownerId: owner.id,
  });
  const ref = uniqueWord('h');
  await createProject(context, actor, { name: 'Deployment', ref, organizationId });
  return { organizationId, ref };
}

/** The session token of a new operator with a membership in the deployment. */
export async function moveIn(
  console: TestConsole,
  deployment: Deployment,
  grant: Grant,
  where: 'organization' | 'project' = 'organization',
): Promise<{ readonly token: string; readonly operatorId: string; readonly email: string }> {
  const operator = await console.addOperator();
  await addMembership(console.fixture.controlPlane.dataSource.manager, {
    operatorId: operator.id,
    organizationId: deployment.organizationId,
    ...(where === 'project' && { projectRef: deployment.ref }),
    grant,
  });
  const token = await console.signIn(operator.email, operator.password);
  return { token, operatorId: operator.id, email: operator.email };
}
