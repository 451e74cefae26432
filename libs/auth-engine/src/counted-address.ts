import { asciiDomain } from '#libs/wire';

const maxLength = 320;

/**
 * Returns the word under which requests about an address, a phone number or a user name are counted: in lower case, and
 * with the domain of an address as the DNS has it. A domain beyond ASCII has many spellings that mail servers take for
 * the same.
 */
export function countedAddress(identifier: string): string {
  const text = identifier.trim().toLowerCase().slice(0, maxLength);
  const at = text.lastIndexOf('@');
  if (at < 0) return text;
  const domain = text.slice(at + 1);
  return `${text.slice(0, at)}@${asciiDomain(domain).replace(/\.$/, '') || domain}`;
}
