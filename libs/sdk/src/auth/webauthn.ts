/** WebAuthn uses bytes, JSON uses text: converts in both directions (WebAuthn Level 3 §5.1.8, §5.1.9). */
import { isRecord } from '../json.js';
import { decodeBytes, encodeBytes } from './base64url.js';
import { localError } from './wire.js';

/** The options from the server, with bytes as text. */
export interface CredentialOptions {
  readonly challenge: string;
  readonly user?: { readonly id: string };
  readonly excludeCredentials?: readonly { readonly id: string }[];
  readonly allowCredentials?: readonly { readonly id: string }[];
  readonly [field: string]: unknown;
}

/** The result of an authenticator: the fields of either ceremony. */
interface PublicKeyCredential {
  readonly id: string;
  readonly type: string;
  readonly rawId: ArrayBuffer;
  readonly authenticatorAttachment?: string | null;
  readonly response: Readonly<Record<string, unknown>> & { getTransports?(): readonly string[] };
  getClientExtensionResults(): unknown;
}

const responseFields = [
  'clientDataJSON',
  'attestationObject',
  'authenticatorData',
  'signature',
  'userHandle',
] as const;

/** Options in the form for an authenticator. */
export function readableOptions(options: CredentialOptions): object {
  const { challenge, user, excludeCredentials, allowCredentials } = options;
  const withBytes = (item: { readonly id: string }) => ({ ...item, id: decodeBytes(item.id) });
  return {
    ...options,
    challenge: decodeBytes(challenge),
    ...(user && { user: withBytes(user) }),
    ...(excludeCredentials && { excludeCredentials: excludeCredentials.map(withBytes) }),
    ...(allowCredentials && { allowCredentials: allowCredentials.map(withBytes) }),
  };
}

/** A credential in the form for JSON. */
export function sendableCredential(credential: unknown): object {
  if (!isCredential(credential)) {
    throw localError('PASSKEY_NOT_GIVEN', 'The browser returned no passkey');
  }
  const { id, type, rawId, authenticatorAttachment, response } = credential;
  // The fields are accessors of a prototype: copying the object would lose them.
  const parts = responseFields.map((name) => [name, response[name]] as const);
  const given = parts.filter((part): part is [(typeof part)[0], ArrayBuffer] => !!part[1]);
  return {
    id,
    rawId: encodeBytes(rawId),
    type,
    authenticatorAttachment: authenticatorAttachment ?? undefined,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      ...Object.fromEntries(given.map(([name, bytes]) => [name, encodeBytes(bytes)])),
      transports: response.getTransports?.(),
    },
  };
}

function isCredential(value: unknown): value is PublicKeyCredential {
  return isRecord(value) && 'rawId' in value && isRecord(value['response']);
}
