// What is stored of a message. Operators read the log of deliveries, so no value that signs a user
// in is stored there.
import type { HookDelivery, HookMessage } from './hook-types.js';

const HIDDEN = '(hidden)';

/** Names whose values sign in or prove something, wherever they are in the data of the platform. */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  'accessToken',
  'backupCodes',
  'code',
  'idToken',
  'nonce',
  'otp',
  'password',
  'refreshToken',
  'secret',
  'token',
]);

/** Belongs to the project, whatever its fields are called. */
const METADATA: ReadonlySet<string> = new Set(['app_metadata', 'user_metadata']);

/** The message as it may be stored. Of `send` no value is kept, because each of them is a secret. */
export function withoutSecrets(hook: HookDelivery['hook'], message: HookMessage): HookMessage {
  const { values, ...rest } = message.data;
  const kept = hook === 'send' ? { ...rest, values: hideAll(values) } : message.data;
  return { ...message, data: hideSecrets(kept) };
}

function hideAll(values: unknown): Readonly<Record<string, string>> {
  const names = typeof values === 'object' && values !== null ? Object.keys(values) : [];
  return Object.fromEntries(names.map((name) => [name, HIDDEN]));
}

function hideSecrets(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      SECRET_NAMES.has(name) ? HIDDEN : METADATA.has(name) ? value : hideWithin(value),
    ]),
  );
}

function hideWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideWithin);
  const isPlain = typeof value === 'object' && value !== null && !(value instanceof Date);
  return isPlain ? hideSecrets(value) : value;
}

/** The target of a delivery: an address without what may be a key in it. */
export function targetOf(settings: {
  readonly target: 'http' | 'function' | 'edge';
  readonly url?: string | undefined;
  readonly functionName?: string | undefined;
  readonly edgeFunction?: string | undefined;
}): string {
  if (settings.target === 'function') return settings.functionName ?? '';
  if (settings.target === 'edge') return settings.edgeFunction ?? '';
  const { url = '' } = settings;
  if (!URL.canParse(url)) return '';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
