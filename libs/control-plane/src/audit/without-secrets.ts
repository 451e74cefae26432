import { isRecord } from '#libs/wire';

const secretName =
  /(password|passphrase|secret|token|credential|privatekey|apikey|connectionstring|databaseurl|hash)$/i;
/** The placeholder for a stored secret in settings; it is not a secret itself. */
const sentinel = '__SECRET_SET__';
const leftOut = '[left out]';

/**
 * Returns a copy of a JSON value in which texts under names of secrets (`password`, `smtpSecret`, `api_key`…) are
 * replaced. A safety net: callers must not pass secrets to the audit log in the first place.
 */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  if (value instanceof Date) return value.toISOString();
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecret(name, inner) ? leftOut : withoutSecrets(inner),
    ]),
  );
}

function isSecret(name: string, value: unknown): boolean {
  return (
    typeof value === 'string' &&
    value !== '' &&
    value !== sentinel &&
    secretName.test(name.replaceAll(/[_-]/g, ''))
  );
}
