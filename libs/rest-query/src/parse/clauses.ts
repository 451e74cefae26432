// Sorts the parameters of a query string by the level they belong to: the outermost rows, or an embed.
import type { FilterTree, OrderName, OrderTerm, ParsedCondition } from '../types/grammar.js';
import type { EmbedClauses, LevelClauses, Resource } from '../types/request.js';
import { parseCondition, parseFilterName } from './filter.js';
import { OPERAND, SOME_OFFSET } from './key.js';
import { MAX_CONDITIONS } from './limits.js';
import { parseTree } from './logic-tree.js';
import { checkLimit, shorten, syntaxError } from './names.js';
import { parseOrder } from './order.js';
import { isReserved, type TemplateParameter } from './query-template.js';
import { parseLimit, parseOffset } from './window.js';

const NEGATION = /(?:^|\.) *not *\.[^.]*$/;

type Tree = FilterTree<ParsedCondition>;

export interface Clauses {
  readonly root: LevelClauses;
  readonly embedded: readonly EmbedClauses[];
}

/** A level while its parameters are collected. */
interface Draft {
  readonly path: readonly string[];
  readonly nodes: Tree[];
  order: readonly OrderTerm<OrderName>[] | undefined;
  limit: number | undefined;
  offset: number | undefined;
}

/** Parses filters, logic trees, `order`, `limit` and `offset`, at any level. Throws PGRST100, PGRST103. */
export function parseClauses(
  parameters: readonly TemplateParameter[],
  resource: Resource['kind'],
): Clauses {
  const root = draftOf([]);
  const drafts = new Map<string, Draft>();
  let conditions = 0;
  for (const parameter of parameters) {
    const { path, word, node } = readParameter(parameter, resource);
    // No name contains NUL.
    const key = path.join('\0');
    const draft = path.length === 0 ? root : (drafts.get(key) ?? draftOf(path));
    if (path.length > 0) drafts.set(key, draft);
    if (node) {
      conditions += leavesOf(node);
      checkLimit(conditions, MAX_CONDITIONS, 'conditions');
      draft.nodes.push(node);
    } else setClause(draft, word, parameter);
  }
  return {
    root: clausesOf(root),
    embedded: [...drafts.values()].map((draft) => ({ path: draft.path, ...clausesOf(draft) })),
  };
}

interface ReadParameter {
  readonly path: readonly string[];
  /** The last part of the name. */
  readonly word: string;
  /** Undefined for `order`, `limit` and `offset`. */
  readonly node: Tree | undefined;
}

function readParameter(
  { name, text, firstSlot }: TemplateParameter,
  resource: Resource['kind'],
): ReadParameter {
  const { path, field } = parseFilterName(name);
  const word = field.name;
  if (!isReserved(name, resource)) {
    const hasOperand = text.endsWith(OPERAND);
    const test = hasOperand ? text.slice(0, -OPERAND.length) : text;
    const node = parseCondition(field, test, hasOperand ? firstSlot : undefined);
    return { path, word, node };
  }
  if (word !== 'and' && word !== 'or') return { path, word, node: undefined };
  const tree = parseTree(word, text, firstSlot);
  // In quotes, `not` is the name of an embed.
  if (!NEGATION.test(name)) return { path, word, node: tree };
  return { path: path.slice(0, -1), word, node: { kind: 'not', node: tree } };
}

function setClause(draft: Draft, word: string, { name, text }: TemplateParameter): void {
  const clause = word === 'limit' || word === 'offset' ? word : 'order';
  if (draft[clause] !== undefined) throw syntaxError(`${shorten(name)} is given twice`);
  if (clause === 'order') draft.order = parseOrder(text);
  else if (clause === 'limit') draft.limit = parseLimit(text);
  else draft.offset = draft.path.length > 0 ? parseOffset(text) : Number(text === SOME_OFFSET);
}

function draftOf(path: readonly string[]): Draft {
  return { path, nodes: [], order: undefined, limit: undefined, offset: undefined };
}

function clausesOf({ nodes, order, limit, offset }: Draft): LevelClauses {
  return {
    where: { kind: 'and', nodes },
    order: order ?? [],
    window: { offset: offset ?? 0, limit },
  };
}

function leavesOf(tree: Tree): number {
  switch (tree.kind) {
    case 'leaf':
      return 1;
    case 'not':
      return leavesOf(tree.node);
    case 'and':
    case 'or':
      return tree.nodes.reduce((sum, node) => sum + leavesOf(node), 0);
  }
}
