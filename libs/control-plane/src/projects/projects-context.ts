import type { SealingKey } from '#libs/secrets';
import type { DataSource } from 'typeorm';
import type { ControlPlane } from '../control-plane.js';
import { newDatabaseId } from '../provisioning/names.js';
import type { Provisioning } from '../provisioning/provisioning.js';
import { runSteps, type Step } from '../provisioning/steps.js';

/** Informs the other processes about a change, after it is committed. */
export type Publish = (topic: string, data: unknown) => Promise<void>;

/** Dependencies of the verbs on projects. */
export interface ProjectsContext extends Provisioning {
  readonly dataSource: DataSource;
  readonly masterKey: SealingKey;
  readonly publish: Publish;
  readonly runSteps: (steps: readonly Step[]) => Promise<void>;
  readonly newDatabaseId: () => string;
}

/** The context of an opened control plane. */
export function projectsContext(controlPlane: ControlPlane, publish: Publish): ProjectsContext {
  const { dataSource, masterKey, provisioning } = controlPlane;
  return { ...provisioning, dataSource, masterKey, publish, runSteps, newDatabaseId };
}

/** Announces a new version of a project's record. */
export async function publishRecord(
  publish: Publish,
  project: { readonly ref: string; readonly version: number },
): Promise<void> {
  await publish(`project.${project.ref}`, { kind: 'record', version: project.version });
}
