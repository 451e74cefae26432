// The auth engine refuses a sign-in with an address of a form that it does not know: a host without a dot, letters
// beyond ASCII, a quoted part. An operator signs in with the address that is stored, whatever its form. The engine
// receives a stand-in of a form that it accepts, and its look-up turns it back into the address.
import { readEmailAddress } from '#libs/wire';

const maxAddressLength = 254;
const namePattern = /^((?:[0-9a-f]{2})+)@address\.invalid$/;

/** Whether the text could be the stored address of an operator. */
export function isAddressLike(text: string): boolean {
  return text.length <= maxAddressLength && text.includes('@');
}

/** An object that runs statements, such as a transaction. */
interface Queries {
  query(text: string, values: readonly unknown[]): Promise<readonly unknown[]>;
}

/** Returns the address under which an operator is stored: an old one as it was typed, else as new ones are written. */
export async function storedAddress(database: Queries, text: string): Promise<string> {
  const typed = text.trim().toLowerCase();
  const address = readEmailAddress(typed);
  if (address === undefined || address === typed) return typed;
  const old = await database.query('select from operator where email = $1', [typed]);
  return old.length > 0 ? typed : address;
}

/** The name that the engine accepts for an address. */
export function engineName(address: string): string {
  return `${Buffer.from(address).toString('hex')}@address.invalid`;
}

/** The address that such a name means; any other text as it is. */
export function addressNamed(name: string): string {
  const hex = namePattern.exec(name)?.[1];
  return hex === undefined ? name : Buffer.from(hex, 'hex').toString();
}
