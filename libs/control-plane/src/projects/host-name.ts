import { fail } from '#libs/errors';
import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { lookalikeIn } from './lookalikes.js';

const maxLength = 253;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A custom domain as it is stored and compared: lower case, ASCII, without the dot at the end.
 * Throws INVALID_INPUT for what is no public host name, and for names at or below the root domain,
 * which belong to refs, and for names that could pass for others.
 */
export function parseCustomDomain(text: string, rootDomain: string): string {
  const refuse = (reason: string): Error => fail('INVALID_INPUT', { field: 'domain', reason });
  if (/[^\p{L}\p{N}.-]/u.test(text)) throw refuse('write a host name without scheme, port or path');
  const domain = domainToASCII(text.replace(/\.$/, '')).toLowerCase();
  const labels = domain.split('.');
  if (domain === '' || domain.length > maxLength || !labels.every((part) => label.test(part))) {
    throw refuse('this is not a host name');
  }
  // A number as the last label makes a URL parser read the whole name as an address.
  if (isIP(domain) !== 0 || /^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '')) {
    throw refuse('an address is not a host name');
  }
  if (labels.length < 2 || labels.at(-1) === 'localhost') {
    throw refuse('use a full host name such as api.example.org');
  }
  if (domain === rootDomain || domain.endsWith(`.${rootDomain}`)) {
    throw refuse(`names below ${rootDomain} belong to the projects with these refs`);
  }
  const lookalike = lookalikeIn(domainToUnicode(domain));
  if (lookalike !== undefined) {
    throw refuse(`${lookalike} mixes letters of several scripts or imitates Latin letters`);
  }
  return domain;
}

/** The host name of a Host header in the form of {@link parseCustomDomain}: no port, no dot at the end. */
export function hostName(hostHeader: string): string {
  return hostHeader.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}
