// What the project says of itself and of the administrator who is signed in, in the forms in which the console knows
// projects and operators.
import { answer, projectApi, type ProjectSchemas, type Schemas } from '../api/client.js';
import { studioRef } from '../api/place.js';

/** Who is signed in: an operator, or in the studio an administrator of the project. */
export interface SignedIn {
  readonly operator: Omit<Schemas['SessionOperator'], 'mustChangePassword'>;
}

const readSession = (): Promise<ProjectSchemas['AdminSession']> =>
  answer(projectApi(studioRef).GET('/api/admin/session'));

/** The project. What the platform alone knows is empty, and no screen of the studio shows it. */
export async function readOwnProject(): Promise<Schemas['ProjectDetails']> {
  const { project, capabilities } = await readSession();
  return {
    ...project,
    ref: studioRef,
    url: window.location.origin,
    status: 'active',
    capabilities,
    organizationId: '',
    organizationName: '',
    createdAt: '',
    deleteAt: null,
    deletedProjectDays: 0,
    studioUrl: null,
  };
}

export async function readAdministrator(): Promise<SignedIn> {
  const { user } = await readSession();
  const { id = '', email = '', name = '', twoFactorEnabled = false } = user ?? {};
  return { operator: { id, email, name, twoFactorEnabled, isDeploymentAdmin: false } };
}
