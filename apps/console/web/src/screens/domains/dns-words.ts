// What a comparison with DNS means, in words.
import type { AddressCheck, TxtCheck } from './queries.js';

interface Verdict {
  readonly kind: 'good' | 'open' | 'warning' | 'problem';
  readonly word: string;
  readonly sentence: string;
}

/** What the TXT record of a claim says. */
export function txtVerdict({ state, name }: TxtCheck, isVerified: boolean): Verdict {
  switch (state) {
    case 'right':
      return { kind: 'good', word: 'right', sentence: 'The record is there.' };
    case 'other':
      return {
        kind: isVerified ? 'warning' : 'problem',
        word: 'other value',
        sentence: `No TXT record at ${name} has the value.${loss(isVerified)}`,
      };
    case 'missing':
      return {
        kind: isVerified ? 'warning' : 'open',
        word: 'missing',
        sentence: `There is no TXT record at ${name}. A new record may take some minutes to appear.${loss(isVerified)}`,
      };
    case 'no-answer':
      return { kind: 'warning', word: 'no answer', sentence: noAnswer };
  }
}

/** What TXT records are there. The server shows those alone that look like the token of a claim. */
export function foundTexts({ found, state }: TxtCheck): readonly string[] {
  return found.length === 0 && state === 'other' ? ['records that are no proof'] : found;
}

const noAnswer = 'The name servers gave no answer in time. Check again in a moment.';

const loss = (isVerified: boolean): string =>
  isVerified ? ' Without it another project that proves the name takes it over.' : '';

/** Where a host name leads. */
export function addressVerdict({ state, name, expected }: AddressCheck): Verdict {
  const host = expected.alias ?? name;
  switch (state) {
    case 'right':
      return { kind: 'good', word: 'right', sentence: rightSentence(name, expected.alias) };
    case 'local':
      return {
        kind: 'good',
        word: 'this machine',
        sentence: 'Names below localhost lead to the machine itself. No name server is queried.',
      };
    case 'other':
      return {
        kind: 'warning',
        word: 'elsewhere',
        sentence: `It leads to other addresses than ${host}. That is right only if a proxy there passes requests on.`,
      };
    case 'missing':
      return {
        kind: 'problem',
        word: 'missing',
        sentence: `There is no A or AAAA record at ${name}, so no request arrives.`,
      };
    case 'unknown':
      return {
        kind: 'warning',
        word: 'not compared',
        sentence: `It has an address, but ${host} has none to compare it with.`,
      };
    case 'no-answer':
      return { kind: 'warning', word: 'no answer', sentence: noAnswer };
  }
}

function rightSentence(name: string, alias: string | null): string {
  return alias === null ? `${name} has an address.` : `It leads where ${alias} leads.`;
}

/** What the records should say, for people who make them. */
export function wantedAddress({ name, expected }: AddressCheck): readonly string[] {
  if (expected.alias === null) return [`an A or AAAA record with the address of the proxy`];
  // The apex of a zone takes no CNAME record, so the addresses are an alternative.
  const addresses = expected.addresses.map((address) => `${typeOf(address)} ${address}`);
  return name.endsWith('.localhost') ? [] : [`CNAME ${expected.alias}`, ...addresses];
}

/** What DNS says now. */
export function foundAddress({ found }: AddressCheck): readonly string[] {
  const { alias, addresses, hiddenAddresses } = found;
  return [
    ...(alias === null ? [] : [`CNAME ${alias}`]),
    ...addresses.map((address) => `${typeOf(address)} ${address}`),
    ...(hiddenAddresses === 0
      ? []
      : [hiddenAddresses === 1 ? 'a private address' : `${hiddenAddresses} private addresses`]),
  ];
}

const typeOf = (address: string): string => (address.includes(':') ? 'AAAA' : 'A');
