import type { Administration } from '#libs/auth-engine';
import type { ProjectRuntime } from '#libs/project-runtime';

/** Runs `work` with what the auth engine of the project offers to administrators. */
export async function withAdministration<T>(
  project: ProjectRuntime,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  const auth = await project.auth.acquire();
  try {
    return await work(auth.value.administration);
  } finally {
    auth.release();
  }
}

/** The hash of a password that an administrator chooses, by the rules of the project; they throw. */
export function hashChosen(
  project: ProjectRuntime,
  password: string | undefined,
): Promise<string | undefined> {
  return password === undefined
    ? Promise.resolve(undefined)
    : withAdministration(project, ({ hashChosen: hash }) => hash(password));
}
