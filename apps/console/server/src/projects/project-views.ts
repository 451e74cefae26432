import type { CreatedProject, ProjectView } from '#libs/control-plane';
import type { Capability } from '#libs/wire';

/** A project with its address. */
export type AddressedProject = ProjectView & { readonly url: string };

/** A project with what its reader may do with it. */
export type ProjectDetails = AddressedProject & {
  readonly capabilities: readonly Capability[];
  /** For how many days a deletion can be taken back; 0: a deletion is final. */
  readonly deletedProjectDays: number;
  /** The address of its studio; null where the deployment serves none. */
  readonly studioUrl: string | null;
};

/** A new project as its creator sees it: the secrets only with the capability for them. */
export type NewProjectView = Omit<CreatedProject, SecretField> &
  Partial<Pick<CreatedProject, SecretField>> & { readonly url: string };

type SecretField = 'publishableKey' | 'secretKey' | 'databaseUrl';

/** Leaves the keys and the connection string out unless the operator may manage secrets. */
export function newProjectView(
  created: CreatedProject,
  url: string,
  capabilities: readonly Capability[],
): NewProjectView {
  const { ref, name, createdAt, publishableKey, secretKey, databaseUrl } = created;
  const secrets = { publishableKey, secretKey, databaseUrl };
  return { ref, name, url, ...(capabilities.includes('secrets.manage') && secrets), createdAt };
}
