const maxAddressLength = 320;
const addressPattern = /^[^\s@<>"(),:;\\[\]\p{Cc}]{1,64}@[^\s@<>"(),:;\\[\]\p{Cc}]{1,253}$/u;

/** Whether the text is exactly one email address: no name, no list, no line break. */
export function isOneAddress(text: string): boolean {
  return text.length <= maxAddressLength && addressPattern.test(text);
}
