import type { ProjectRuntime } from '#libs/project-runtime';
import { readiness, SETTINGS_GROUPS } from '#libs/settings';

/** How far a way to sign in is set up (spec: `GET /api/admin/auth/status`). */
export interface MethodStatus {
  readonly title: string;
  readonly enabled: boolean;
  readonly configured: boolean;
  /** Names of the fields that still need a value. */
  readonly missing: readonly string[];
  /** What to register at the provider; null where there is none. */
  readonly callbackUrl: string | null;
}

const reported = ['auth.methods.', 'email.', 'phone.'];

/** The readiness of every sign-in method and delivery of the project, by settings group. */
export function authStatus(project: ProjectRuntime): Readonly<Record<string, MethodStatus>> {
  const groups = SETTINGS_GROUPS.filter(({ name }) =>
    reported.some((prefix) => name.startsWith(prefix)),
  );
  const entries = groups.map((group) => {
    const values = project.settings.get(group.name);
    const status: MethodStatus = {
      title: group.title,
      ...readiness(group, values),
      callbackUrl: null,
    };
    return [group.name, status] as const;
  });
  const jwt: MethodStatus = {
    title: 'Signed tokens (JWT)',
    enabled: true,
    configured: true,
    missing: [],
    callbackUrl: null,
  };
  return { ...Object.fromEntries(entries), jwt };
}
