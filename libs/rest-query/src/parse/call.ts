import type { ArgumentText, CallArguments } from '../types/request.js';
import { OPERAND } from './key.js';
import { readQuoted } from './names.js';
import { isReserved, type TemplateParameter } from './query-template.js';

interface ReadCall {
  readonly arguments: CallArguments;
  /** The rest: filters, and all reserved parameters. */
  readonly clauses: readonly TemplateParameter[];
}

/**
 * Separates the arguments in a query string from the filters of a function's rows. A parameter with one of the
 * `argumentNames` is an argument, whatever it looks like; if it is repeated, those with an operator are filters. A
 * parameter without an operator can only be an argument: if no function accepts it, the planner reports that. A quoted
 * name is never one of the reserved parameters: `"limit"` is the argument `limit`.
 */
export function splitArguments(
  parameters: readonly TemplateParameter[],
  argumentNames: ReadonlySet<string>,
): ReadCall {
  const named = parameters
    .filter(({ name }) => !isReserved(name, 'function'))
    .map((parameter) => ({ parameter, name: withoutQuotes(parameter.name) }));
  const plain = named.filter(({ parameter }) => !hasOperator(parameter));
  const chosen = new Set(plain.map(({ parameter }) => parameter));
  const given = new Set(plain.map(({ name }) => name));
  for (const { parameter, name } of named) {
    if (!argumentNames.has(name) || given.has(name)) continue;
    given.add(name);
    chosen.add(parameter);
  }
  const values = named
    .filter(({ parameter }) => chosen.has(parameter))
    .map(({ parameter, name }) => ({ name, value: argumentText(parameter) }));
  return {
    arguments: { kind: 'named', values },
    clauses: parameters.filter((parameter) => !chosen.has(parameter)),
  };
}

function withoutQuotes(name: string): string {
  const quoted = name.startsWith('"') ? readQuoted(name, 0, '') : undefined;
  return quoted?.text ?? name;
}

// The template leaves text only before an operator that it knows.
function hasOperator({ text }: TemplateParameter): boolean {
  return text !== OPERAND;
}

function argumentText({ text, firstSlot }: TemplateParameter): ArgumentText {
  return text.endsWith(OPERAND)
    ? { text: text.slice(0, -OPERAND.length), slot: firstSlot }
    : { text, slot: undefined };
}
