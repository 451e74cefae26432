// Parses the text of a template into a tree. `{{ name }}` inserts a value; the part between `{{# name }}` and `{{/ name
// }}` appears only if the name has a value. There is no other syntax.

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'section'; readonly name: string; readonly parts: readonly Part[] };

export type Parsed =
  | { readonly kind: 'template'; readonly parts: readonly Part[] }
  | { readonly kind: 'broken'; readonly reason: string };

/** More than any mail needs; limits the work for a template and the length of its mails. */
const maxPlaceholders = 1_000;
const maxDepth = 20;

interface OpenSection {
  readonly name: string;
  readonly parts: Part[];
}

/** Parses a template; `broken` is the message for its author if it cannot be parsed. */
export function parseTemplate(source: string): Parsed {
  const open: OpenSection[] = [{ name: '', parts: [] }];
  let at = 0;
  let count = 0;
  for (let start = source.indexOf('{{'); start !== -1; start = source.indexOf('{{', at)) {
    const end = source.indexOf('}}', start + 2);
    const inner = source.slice(start + 2, end === -1 ? undefined : end);
    if (end === -1 || inner.includes('{{'))
      return broken(`the {{ ${lineOf(source, start)} is not closed by }}`);
    innermost(open).parts.push({ kind: 'text', text: source.slice(at, start) });
    const reason = take(open, inner.trim()) ?? limitReason(open, (count += 1));
    // The line is computed on demand: it takes a pass over the preceding text.
    if (reason !== undefined) return broken(`${reason} ${lineOf(source, start)}`);
    at = end + 2;
  }
  const last = innermost(open);
  last.parts.push({ kind: 'text', text: source.slice(at) });
  if (open.length > 1) return broken(`{{# ${last.name} }} is not closed by {{/ ${last.name} }}`);
  return { kind: 'template', parts: last.parts };
}

/** Every name in the parts, with whether it is in every mail or inside a section only. */
export function usedNames(
  parts: readonly Part[],
  within: readonly string[] = [],
): readonly {
  readonly name: string;
  readonly within: readonly string[];
  readonly isShown: boolean;
}[] {
  return parts.flatMap((part) => {
    switch (part.kind) {
      case 'text':
        return [];
      case 'value':
        return [{ name: part.name, within, isShown: true }];
      case 'section':
        return [
          { name: part.name, within, isShown: false },
          ...usedNames(part.parts, [...within, part.name]),
        ];
    }
  });
}

/** Processes one placeholder; returns what is wrong with it, if anything. */
function take(open: OpenSection[], inner: string): string | undefined {
  const sign = /^[#/]/.exec(inner)?.[0];
  const name = sign === undefined ? inner : inner.slice(1).trim();
  if (name === '') return 'there is an empty placeholder';
  if (sign === '#') open.push({ name, parts: [] });
  else if (sign === undefined) innermost(open).parts.push({ kind: 'value', name });
  else {
    const closed = innermost(open);
    if (open.length === 1 || closed.name !== name) return `{{/ ${name} }} closes nothing`;
    open.pop();
    innermost(open).parts.push({ kind: 'section', ...closed });
  }
  return undefined;
}

function limitReason(open: readonly OpenSection[], count: number): string | undefined {
  if (count > maxPlaceholders) return `there are more than ${maxPlaceholders} placeholders`;
  return open.length > maxDepth + 1 ? `sections are nested more than ${maxDepth} deep` : undefined;
}

function innermost(open: readonly OpenSection[]): OpenSection {
  const section = open.at(-1);
  if (section === undefined) throw new Error('the outermost section is never closed');
  return section;
}

function lineOf(source: string, at: number): string {
  return `in line ${source.slice(0, at).split('\n').length}`;
}

const broken = (reason: string): Parsed => ({ kind: 'broken', reason });
