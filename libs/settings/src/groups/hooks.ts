import { defineGroup, type Conflict } from '../define-group.js';
import { isSigningSecret, signingSecretRule } from '../signing-secret.js';
import { choice, flag, integer, object, secret, text } from '../field.js';

const hook = (label: string, help: string, onFailure: 'refuse' | 'continue') =>
  object({
    label,
    help,
    fields: {
      enabled: flag({ label: 'Enabled', default: false }),
      target: choice({ label: 'Target', of: ['http', 'function', 'edge'], default: 'http' }),
      url: text({ label: 'Address', format: 'url', maxLength: 2000 }),
      secret: secret({
        label: 'Signing secret',
        help: 'whsec_ and base64, as in Standard Webhooks.',
        maxLength: 500,
      }),
      functionName: text({
        label: 'Database function',
        help: 'With its schema, such as public.on_sign_up; it takes and gives jsonb.',
        format: 'function-name',
        maxLength: 127,
      }),
      edgeFunction: text({
        label: 'Edge function',
        help: 'Its slug, such as on-sign-up, for the target edge.',
        format: 'edge-function',
        maxLength: 63,
      }),
      timeoutMs: integer({
        label: 'Wait at most',
        help: 'In milliseconds.',
        default: 5000,
        range: [500, 15_000],
      }),
      onFailure: choice({
        label: 'If it does not respond',
        of: ['refuse', 'continue'],
        default: onFailure,
      }),
    },
  });

interface HookValues {
  readonly enabled: boolean;
  readonly target: 'http' | 'function' | 'edge';
  readonly url: string | undefined;
  readonly secret: string | undefined;
  readonly functionName: string | undefined;
  readonly edgeFunction: string | undefined;
}

type TargetField = 'url' | 'secret' | 'functionName' | 'edgeFunction';

const neededBy: Readonly<Record<HookValues['target'], readonly TargetField[]>> = {
  http: ['url', 'secret'],
  function: ['functionName'],
  edge: ['edgeFunction'],
};

function missingOf(values: HookValues): readonly TargetField[] {
  return neededBy[values.target].filter((field) => values[field] === undefined);
}

function incomplete(name: string, values: HookValues): Conflict | undefined {
  const { secret: signing } = values;
  if (signing !== undefined && !isSigningSecret(signing)) {
    return { field: `${name}.secret`, reason: signingSecretRule };
  }
  const [field] = values.enabled ? missingOf(values) : [];
  return field && { field: `${name}.${field}`, reason: 'is required for this target' };
}

export const hooks = defineGroup('auth.hooks', {
  title: 'Hooks',
  help: 'Calls your own server, a database function or an edge function when something happens.',
  rebuilds: ['auth'],
  isReported: true,
  fields: {
    signUp: hook(
      'Sign-up',
      'Called before an account is created: may refuse it or add metadata.',
      'refuse',
    ),
    accessToken: hook('Token', 'Called when a JWT is created: may add claims.', 'refuse'),
    send: hook('Messages', 'Sends mails and SMS instead of the project.', 'refuse'),
    events: hook(
      'Events',
      'Called after users and sessions were created, changed or deleted.',
      'continue',
    ),
  },
  conflict: (values) => {
    for (const [name, each] of Object.entries(values)) {
      const found = incomplete(name, each);
      if (found) return found;
    }
    return undefined;
  },
  parts: (values) =>
    Object.entries(values).map(([name, each]) => ({
      name,
      enabled: each.enabled,
      missing: missingOf(each).map((field) => `${name}.${field}`),
    })),
});
