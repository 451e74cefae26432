// Filters, order and limits address an embed by its alias, or by its relation as written.
import { fail } from '#libs/errors';
import { shorten, syntaxError } from '../parse/names.js';
import type { EmbedItem } from '../types/grammar.js';
import type { EmbedClauses } from '../types/request.js';

/** The clauses of one embed besides its select: its own, and those of embeds inside it. */
export interface AddressedClauses {
  readonly own: EmbedClauses | undefined;
  readonly inner: readonly EmbedClauses[];
}

/** The name of an embed in the answer. */
export function embedName({ alias, relation }: EmbedItem): string {
  return alias ?? relation;
}

/**
 * Returns the embed that `name` addresses; undefined if there is none. An alias is looked up before the relations of
 * aliased embeds. Throws PGRST100 if the name fits several.
 */
export function findEmbed<Embed extends { readonly item: EmbedItem }>(
  embeds: readonly Embed[],
  name: string,
): Embed | undefined {
  const named = embeds.filter(({ item }) => embedName(item) === name);
  const found = named.length > 0 ? named : embeds.filter(({ item }) => item.relation === name);
  if (found.length > 1) {
    throw syntaxError(`${shorten(name)} is embedded more than once; give each an alias`);
  }
  return found[0];
}

/** Distributes the clauses of a level to its embeds. Throws PGRST108 for a path that leads to none. */
export function addressClauses(
  items: readonly EmbedItem[],
  embedded: readonly EmbedClauses[],
): ReadonlyMap<EmbedItem, AddressedClauses> {
  const embeds = items.map((item) => ({ item }));
  const addressed = new Map<EmbedItem, { own?: EmbedClauses; inner: EmbedClauses[] }>();
  for (const clauses of embedded) {
    const [name = '', ...rest] = clauses.path;
    const item = findEmbed(embeds, name)?.item;
    if (!item) throw fail('PGRST108', { name: shorten(clauses.path.join('.')) });
    const known = addressed.get(item) ?? { inner: [] };
    addressed.set(item, known);
    if (rest.length > 0) known.inner.push({ ...clauses, path: rest });
    else if (known.own) throw syntaxError(`${shorten(name)} is addressed by two names`);
    else known.own = clauses;
  }
  return new Map(items.map((item) => [item, toClauses(addressed.get(item))]));
}

function toClauses(
  known: { readonly own?: EmbedClauses; readonly inner: readonly EmbedClauses[] } | undefined,
): AddressedClauses {
  return { own: known?.own, inner: known?.inner ?? [] };
}
