// A key and a certificate for it, made on the spot: no private key lies in the repository and none expires.
// X.509 is written by hand here (RFC 5280 §4.1, in DER), since Node signs but makes no certificates.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface KeyAndCertificate {
  /** PKCS#8, PEM. */
  readonly privateKey: string;
  /** X.509, PEM, valid from an hour ago for ten years. */
  readonly certificate: string;
}

const hourMs = 3_600_000;
const tenYearsMs = 10 * 365 * 24 * hourMs;

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  nothing: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  dnsName: 0x82,
  ipAddress: 0x87,
  version: 0xa0,
  extensions: 0xa3,
} as const;

/** Object identifiers as they are written in DER. */
const OID = {
  sha256WithRsa: '2a864886f70d01010b',
  commonName: '550403',
  subjectAltName: '551d11',
  basicConstraints: '551d13',
} as const;

/** An RSA key and a certificate that it signed itself, for `commonName`, `localhost` and 127.0.0.1. */
export function selfSignedCertificate(commonName = 'localhost'): KeyAndCertificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const algorithm = der(TAG.sequence, oid('sha256WithRsa'), der(TAG.nothing));
  const holder = nameOf(commonName);
  const signed = der(
    TAG.sequence,
    der(TAG.version, der(TAG.integer, Buffer.of(2))),
    // The first byte keeps the number positive and without a leading zero.
    der(TAG.integer, Buffer.concat([Buffer.of(0x4b), randomBytes(8)])),
    algorithm,
    holder,
    der(TAG.sequence, time(Date.now() - hourMs), time(Date.now() + tenYearsMs)),
    holder,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(TAG.extensions, der(TAG.sequence, alternativeNames(), authority())),
  );
  const certificate = der(
    TAG.sequence,
    signed,
    algorithm,
    bits(sign('sha256', signed, privateKey)),
  );
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: pem(certificate),
  };
}

/** What stands between the first and the last line of a certificate (PEM), as XML signatures show it. */
export function certificateBody(certificate: string): string {
  return certificate.replaceAll(/-----[^-]+-----|\s/g, '');
}

/** One value: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length);
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  const significant = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([Buffer.of(0x80 | significant.length), significant]);
}

function oid(name: keyof typeof OID): Buffer {
  return der(TAG.oid, Buffer.from(OID[name], 'hex'));
}

function bits(content: Buffer): Buffer {
  return der(TAG.bitString, Buffer.of(0), content);
}

function nameOf(commonName: string): Buffer {
  const attribute = der(TAG.sequence, oid('commonName'), der(TAG.utf8, Buffer.from(commonName)));
  return der(TAG.sequence, der(TAG.set, attribute));
}

/** GeneralizedTime, e.g. `20300102030405Z`. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().slice(0, 19).replaceAll(/\D/g, '');
  return der(TAG.time, Buffer.from(`${digits}Z`));
}

function alternativeNames(): Buffer {
  const names = der(
    TAG.sequence,
    der(TAG.dnsName, Buffer.from('localhost')),
    der(TAG.ipAddress, Buffer.of(127, 0, 0, 1)),
  );
  return der(TAG.sequence, oid('subjectAltName'), der(TAG.octetString, names));
}

/** The certificate may be its own authority, so that clients can be told to trust it. */
function authority(): Buffer {
  const constraints = der(TAG.sequence, der(TAG.boolean, Buffer.of(0xff)));
  return der(TAG.sequence, oid('basicConstraints'), der(TAG.octetString, constraints));
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
