const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const length = 20;

/** A password of 20 letters and digits (116 bits), without those that look alike. */
export function randomPassword(): string {
  const limit = 256 - (256 % letters.length);
  const chosen: string[] = [];
  while (chosen.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // Bytes above would make the first letters likelier.
      if (byte < limit && chosen.length < length) chosen.push(letters[byte % letters.length] ?? '');
    }
  }
  return chosen.join('');
}
