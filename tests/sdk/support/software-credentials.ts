// What a browser offers a page for passkeys, in this process: `navigator.credentials` on a software authenticator.
import {
  assert,
  attest,
  makePasskey,
  type Passkey,
} from '../../auth-engine/software-authenticator.js';

export interface SoftwareCredentials {
  /** What the person keeps. */
  readonly passkeys: Passkey[];
  /** The person says no from now on. */
  decline(isDeclined: boolean): void;
  /** Takes it away from this process. */
  remove(): void;
}

/**
 * Gives this process an authenticator, as if it were a page at `origin`. It signs in with the newest passkey
 * among those that the server allows.
 */
export function addSoftwareCredentials(origin: string, rpId: string): SoftwareCredentials {
  const passkeys: Passkey[] = [];
  let isDeclined = false;
  const ceremonyOf = (options: unknown) => {
    if (isDeclined) throw new Error('The operation either timed out or was not allowed.');
    return { challenge: textOf(fieldOf(fieldOf(options, 'publicKey'), 'challenge')), origin, rpId };
  };
  const credentials = {
    async create(options: unknown) {
      const ceremony = ceremonyOf(options);
      const passkey = makePasskey();
      passkeys.push(passkey);
      return credentialOf(attest(passkey, ceremony));
    },
    async get(options: unknown) {
      const ceremony = ceremonyOf(options);
      const passkey = passkeys.at(-1);
      if (!passkey) throw new Error('The operation either timed out or was not allowed.');
      return credentialOf(assert(passkey, ceremony));
    },
  };
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { credentials }, configurable: true });
  return {
    passkeys,
    decline(now) {
      isDeclined = now;
    },
    remove() {
      if (before) Object.defineProperty(globalThis, 'navigator', before);
      else Reflect.deleteProperty(globalThis, 'navigator');
    },
  };
}

/** The answer with bytes where it has text, as browsers give it to pages. */
function credentialOf(answer: object): object {
  const response = Object.entries(Object(fieldOf(answer, 'response'))).filter(
    (field): field is [string, string] => typeof field[1] === 'string',
  );
  return {
    id: fieldOf(answer, 'id'),
    type: fieldOf(answer, 'type'),
    rawId: bytesOf(String(fieldOf(answer, 'id'))),
    authenticatorAttachment: 'platform',
    response: {
      ...Object.fromEntries(response.map(([name, text]) => [name, bytesOf(text)])),
      getTransports: () => ['internal'],
    },
    getClientExtensionResults: () => ({}),
  };
}

const fieldOf = (value: unknown, name: string): unknown => Reflect.get(Object(value), name);

const bytesOf = (text: string): ArrayBuffer =>
  Uint8Array.from(Buffer.from(text, 'base64url')).buffer;

function textOf(bytes: unknown): string {
  if (bytes instanceof Uint8Array) return Buffer.from(bytes).toString('base64url');
  if (bytes instanceof ArrayBuffer) return Buffer.from(bytes).toString('base64url');
  throw new Error('the challenge is no bytes');
}
