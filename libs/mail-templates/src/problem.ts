import { HtmlReader } from './html-place.js';
import { MAIL_KINDS, type MailKind, variablesOf } from './kinds.js';
import { parseTemplate, type Part, usedNames } from './parse.js';
import type { MailTemplate } from './render.js';

type Field = 'subject' | 'text' | 'html';

/** Why a template cannot be stored. */
export interface TemplateProblem {
  readonly field: Field;
  /** A message for the author of the template; the name of the field precedes it. */
  readonly reason: string;
}

/** The maximum length of each part of a template, in characters. */
export const MAX_TEMPLATE_LENGTH: Readonly<Record<Field, number>> = {
  subject: 200,
  text: 20_000,
  html: 100_000,
};

/** The first problem of a template of a kind; undefined if it can be used. */
export function templateProblem(
  kind: MailKind,
  template: MailTemplate,
): TemplateProblem | undefined {
  for (const field of ['subject', 'text', 'html'] as const) {
    const source = template[field];
    const reason = source === undefined ? undefined : problemOf(kind, field, source);
    if (reason !== undefined) return { field, reason };
  }
  return undefined;
}

function problemOf(kind: MailKind, field: Field, source: string): string | undefined {
  if (source.length > MAX_TEMPLATE_LENGTH[field]) {
    return `must have at most ${MAX_TEMPLATE_LENGTH[field]} characters`;
  }
  if (source.trim() === '') return 'must not be empty';
  if (field === 'subject' && /[\r\n]/.test(source)) return 'must be one line';
  const parsed = parseTemplate(source);
  if (parsed.kind === 'broken') return parsed.reason;
  return (
    unknownName(kind, parsed.parts) ??
    (field === 'subject' ? undefined : missingName(kind, parsed.parts)) ??
    (field === 'html' ? unsafeName(parsed.parts) : undefined)
  );
}

function unknownName(kind: MailKind, parts: readonly Part[]): string | undefined {
  const names = Object.keys(variablesOf(kind));
  const unknown = usedNames(parts).find(({ name }) => !names.includes(name));
  if (unknown === undefined) return undefined;
  const nearest = nearestName(unknown.name, names);
  const hint =
    nearest === undefined ? `there are ${names.join(', ')}` : `did you mean {{ ${nearest} }}?`;
  return `there is no {{ ${shortened(unknown.name)} }}: ${hint}`;
}

/** A section is in every mail only if its name always has a value. */
function missingName(kind: MailKind, parts: readonly Part[]): string | undefined {
  const variables = variablesOf(kind);
  const always = usedNames(parts)
    .filter(({ isShown, within }) => isShown && within.every((name) => variables[name]?.required))
    .map(({ name }) => name);
  const missing = MAIL_KINDS[kind].needs.find(
    (oneOf: readonly string[]) => !oneOf.some((name) => always.includes(name)),
  );
  if (missing === undefined) return undefined;
  return `must show ${missing.map((name: string) => `{{ ${name} }}`).join(' or ')} in every mail`;
}

function unsafeName(parts: readonly Part[]): string | undefined {
  const reader = new HtmlReader();
  const walk = (list: readonly Part[]): string | undefined => {
    for (const part of list) {
      if (part.kind === 'text') reader.read(part.text);
      else if (part.kind === 'section') {
        const found = walk(part.parts);
        if (found !== undefined) return found;
      } else if (reader.place === 'unsafe') return part.name;
      else reader.passValue();
    }
    return undefined;
  };
  const name = walk(parts);
  if (name === undefined) return undefined;
  return `{{ ${name} }} must be between tags or in a quoted attribute, not in a style or a script`;
}

/** The name nearest to `typed`, if it is near enough to have been meant. */
function nearestName(typed: string, names: readonly string[]): string | undefined {
  const word = typed.slice(0, 60).toLowerCase();
  const ranked = names
    .map((name) => ({ name, distance: distanceOf(word, name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (best === undefined) return undefined;
  return best.distance <= Math.max(2, Math.floor(best.name.length / 3)) ? best.name : undefined;
}

/** How many letters must be changed, added or removed to turn one word into the other (Levenshtein). */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const change = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}

function shortened(name: string): string {
  return name.length <= 40 ? name : `${name.slice(0, 40)}…`;
}
