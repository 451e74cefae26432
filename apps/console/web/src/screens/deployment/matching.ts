import type { Variable } from './queries.js';

interface Wanted {
  readonly q: string;
  readonly isSetOnly: boolean;
}

/** The variables whose name, meaning or value has all words of `q`. Values of secrets are not known here. */
export function matching(
  variables: readonly Variable[],
  { q, isSetOnly }: Wanted,
): readonly Variable[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return variables.filter(({ name, meaning, value, isSet }) => {
    const text = `${name} ${meaning} ${value ?? ''}`.toLowerCase();
    return (isSet || !isSetOnly) && words.every((word) => text.includes(word));
  });
}
