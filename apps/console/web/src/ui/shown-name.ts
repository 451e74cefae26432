// Texts that show every character of a hostile name.

/** Characters that change the direction of what follows, or that are not seen at all. */
const unseen = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/g;

/**
 * A name whose invisible characters are written out: `photo\u202Egnp.exe` would otherwise be read as `photoexe.png`.
 */
export function shownName(name: string): string {
  return name.replaceAll(
    unseen,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`,
  );
}
