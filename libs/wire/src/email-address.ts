// The one rule for addresses: what is accepted is what every part of the product accepts, the auth engine's own check
// included, and what every mail server delivers without SMTPUTF8 (RFC 6531).
const maxLength = 254;
/** Blanks, controls, and what is invisible or turns the direction of text around. */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const localPattern = /^(?=.{1,64}$)[a-z0-9_'+-]+(?:\.[a-z0-9_'+-]+)*(?<!')$/i;
const domainPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

/**
 * Returns an address as it is stored and compared: in lower case, the domain as the DNS has it (`xn--…`). Undefined for
 * what is no address, or an address that mail servers need not deliver to: a quoted part or letters beyond ASCII before the `@`,
 * a host without a dot, blanks, invisible characters, more than 254 characters.
 */
export function readEmailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  if (at < 0 || text.length > maxLength || unseen.test(text)) return undefined;
  const [local, domain] = [text.slice(0, at), asciiDomain(text.slice(at + 1))];
  if (!localPattern.test(local) || !domainPattern.test(domain)) return undefined;
  const address = `${local.toLowerCase()}@${domain}`;
  return address.length <= maxLength ? address : undefined;
}

/** The way a domain is written in the DNS; empty for what is none. */
export function asciiDomain(domain: string): string {
  // A URL reads a host out of more than hosts.
  const isHost = !/[\s\p{Cc}/\\?#@:%]/u.test(domain) && URL.canParse(`http://${domain}`);
  return isHost ? new URL(`http://${domain}`).hostname : '';
}
