import { fail } from '#libs/errors';
import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';
import { lookalikeIn } from './lookalikes.js';

const maxLength = 253;
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Returns a custom domain in its stored form: lower case, ASCII, without the final dot. Throws INVALID_INPUT for a text
 * that is not a public host name, for names at or below the root domain, which belong to refs, and for names that look
 * like other names.
 */
export function parseCustomDomain(text: string, rootDomain: string): string {
  const refuse = (reason: string): Error => fail('INVALID_INPUT', { field: 'domain', reason });
  if (/[^\p{L}\p{N}.-]/u.test(text)) throw refuse('write a host name without scheme, port or path');
  const domain = domainToASCII(text.replace(/\.$/, '')).toLowerCase();
  const labels = domain.split('.');
  if (domain === '' || domain.length > maxLength || !labels.every((part) => label.test(part))) {
    throw refuse('this is not a host name');
  }
  // With a number as the last label a URL parser reads the whole name as an address.
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

/** Returns the host name of a Host header in the form of {@link parseCustomDomain}: without port and final dot. */
export function hostName(hostHeader: string): string {
  return hostHeader.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
}
