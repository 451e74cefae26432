// The page of a browser as far as passkeys need it: `navigator.credentials` with an authenticator in software.
import { assert, attest, makePasskey } from '../auth-engine/software-authenticator.js';

interface Site {
  readonly origin: string;
  readonly rpId: string;
}

interface Answer {
  readonly id: string;
  readonly response: Readonly<Record<string, unknown>>;
}

/** Gives this process an authenticator that keeps one passkey; the answer takes it away again. */
export function installAuthenticator(site: Site): () => void {
  const passkey = makePasskey();
  const ceremony = (options: unknown) => ({ ...site, challenge: challengeIn(options) });
  const credentials = {
    create: async (options: unknown) => credentialOf(attest(passkey, ceremony(options))),
    get: async (options: unknown) => credentialOf(assert(passkey, ceremony(options))),
  };
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { credentials } });
  return () => {
    Reflect.deleteProperty(globalThis, 'navigator');
    if (before) Object.defineProperty(globalThis, 'navigator', before);
  };
}

function challengeIn(options: unknown): string {
  const { publicKey } = options as { readonly publicKey: { readonly challenge: Uint8Array } }; // As the client of the page calls it.
  return Buffer.from(publicKey.challenge).toString('base64url');
}

/** The answer as a browser gives it: with bytes where JSON has text. */
function credentialOf(answer: object): object {
  const { id, response } = answer as Answer; // The authenticator's answers have these fields.
  const texts = Object.entries(response).filter(([, value]) => typeof value === 'string');
  const bytes = texts.map(([name, value]) => [name, bytesOf(String(value))] as const);
  return {
    id,
    rawId: bytesOf(id),
    type: 'public-key',
    response: { ...Object.fromEntries(bytes), getTransports: () => ['internal'] },
    getClientExtensionResults: () => ({}),
  };
}

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64url'));
}
