const maxAddressLength = 320;
const addressPattern = /^[^\s@<>"(),:;\\[\]\p{Cc}]{1,64}@[^\s@<>"(),:;\\[\]\p{Cc}]{1,253}$/u;

/** Whether a header can contain the text as one email address: no name, no list, no line break. */
export function isOneAddress(text: string): boolean {
  return text.length <= maxAddressLength && addressPattern.test(text);
}

/** A name and an address, as a header shows them. */
export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/**
 * The sender in `Name <address>` or `address`; undefined for any other text. A comma in the name does not separate
 * addresses.
 */
export function readSender(text: string): Mailbox | undefined {
  const [, name = '', inner] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim()) ?? [];
  const address = inner ?? text.trim();
  return isOneAddress(address) ? { name: name.trim(), address } : undefined;
}
