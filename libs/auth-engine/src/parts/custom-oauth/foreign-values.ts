// Values out of answers of servers that are not ours: of any kind until looked at.
import { isRecord, parseJson } from '#libs/wire';
import { fieldIn, type Fields } from '../../fields.js';

/** The object that a text is as JSON; undefined when it is anything else. */
export function jsonObject(text: string): Fields | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** A text that is not empty. */
export function textIn(value: unknown, name: string): string | undefined {
  const found = fieldIn(value, name);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The texts of an array; undefined when there is no array. */
export function textsIn(value: Fields, name: string): readonly string[] | undefined {
  const found = value[name];
  if (!Array.isArray(found)) return undefined;
  return found.filter((each: unknown) => typeof each === 'string');
}

/** Whether an address is one of the web. */
export function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}
