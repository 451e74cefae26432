// An authenticator in software (WebAuthn Level 3 §6): it keeps ES256 keys and answers ceremonies as a browser
// hands them to a page. What a test wants wrong about an answer it changes here.
import {
  createHash,
  createSign,
  generateKeyPairSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

const flagPresent = 0x01;
const flagVerified = 0x04;
const flagBackup = 0x18;
const flagHasKey = 0x40;

export interface Passkey {
  readonly id: string;
  readonly key: KeyObject;
  readonly publicKey: Buffer;
  counter: number;
}

/** The page and what the authenticator does about the person before it. */
export interface Ceremony {
  readonly challenge: string;
  readonly origin: string;
  readonly rpId: string;
  /** Whether the person has shown who they are; by default yes. */
  readonly isVerified?: boolean;
  /** The type that a browser writes; another one only to try what happens. */
  readonly type?: 'webauthn.create' | 'webauthn.get';
}

/** Makes a passkey, under a given id only to imitate another one. */
export function makePasskey(id = randomBytes(16).toString('base64url')): Passkey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { id, key: privateKey, publicKey: coseKey(x, y), counter: 0 };
}

/** The answer to a registration. */
export function attest(passkey: Passkey, ceremony: Ceremony): object {
  const id = Buffer.from(passkey.id, 'base64url');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  const data = Buffer.concat([
    authenticatorData(passkey, ceremony, flagHasKey),
    Buffer.alloc(16),
    length,
    id,
    passkey.publicKey,
  ]);
  return answer(passkey, {
    clientDataJSON: clientData('webauthn.create', ceremony).toString('base64url'),
    attestationObject: attestationObject(data).toString('base64url'),
    transports: ['internal'],
  });
}

/** The answer to a sign-in. The counter goes up by one. */
export function assert(passkey: Passkey, ceremony: Ceremony): object {
  passkey.counter += 1;
  const data = authenticatorData(passkey, ceremony, 0);
  const client = clientData('webauthn.get', ceremony);
  const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
  return answer(passkey, {
    clientDataJSON: client.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature: createSign('sha256').update(signed).sign(passkey.key).toString('base64url'),
  });
}

function answer({ id }: Passkey, response: object): object {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
}

function clientData(usual: string, { challenge, origin, type }: Ceremony): Buffer {
  return Buffer.from(
    JSON.stringify({ type: type ?? usual, challenge, origin, crossOrigin: false }),
  );
}

function authenticatorData(
  { counter }: Passkey,
  { rpId, isVerified = true }: Ceremony,
  more: number,
): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flagPresent | flagBackup | more | (isVerified ? flagVerified : 0));
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), head]);
}

/** CBOR of `{fmt: "none", attStmt: {}, authData}` (RFC 8949). */
function attestationObject(data: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length);
  return Buffer.concat([
    Buffer.from([0xa3]),
    cborText('fmt'),
    cborText('none'),
    cborText('attStmt'),
    Buffer.from([0xa0]),
    cborText('authData'),
    Buffer.from([0x59]),
    length,
    data,
  ]);
}

/** A COSE key: kty 2 (EC2), alg -7 (ES256), crv 1 (P-256), x and y (RFC 9053 §7.1.1). */
function coseKey(x: string, y: string): Buffer {
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}
