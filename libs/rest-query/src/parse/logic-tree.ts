import type { FilterTree, ParsedCondition } from '../types/grammar.js';
import { parseCondition } from './filter.js';
import { readField } from './json-path.js';
import { MAX_TREE_DEPTH } from './limits.js';
import { checkLimit, Cursor, shorten, syntaxError } from './names.js';

type Tree = FilterTree<ParsedCondition>;

const STOPS = { name: /[.,()]|->/g, key: /[.,()]|->/g };
const GROUP = /(not\.)?(and|or) *(?=\()/y;
// oxlint-disable-next-line no-control-regex -- NUL begins the mark of an operand
const TEST = /\.((?:not\.)?[a-z]+(?:\([^()]*\))?\.)(?:\0v|([^,()\0]*))/y;

/** A tree while it is parsed; `slot` is the slot of the next operand. */
interface Reader {
  readonly cursor: Cursor;
  slot: number;
}

/**
 * Parses the tree `(a.eq.…,not.and(…))`, whose nodes are joined by `kind`. Marks replace the operands, the first of
 * them for `firstSlot`. Throws PGRST100.
 */
export function parseTree(kind: 'and' | 'or', text: string, firstSlot: number): Tree {
  const reader = { cursor: new Cursor(text), slot: firstSlot };
  reader.cursor.skipBlanks();
  const tree = readGroup(reader, kind, 1);
  // PostgREST ignores the rest; clients that write one parenthesis too many rely on it.
  while (reader.cursor.take(')')) reader.cursor.skipBlanks();
  if (!reader.cursor.isAtEnd) throw unexpected(reader.cursor);
  return tree;
}

function readGroup(reader: Reader, kind: 'and' | 'or', depth: number): Tree {
  const { cursor } = reader;
  checkLimit(depth, MAX_TREE_DEPTH, 'nested logic trees');
  if (!cursor.take('(')) throw unexpected(cursor);
  const nodes: Tree[] = [];
  do {
    cursor.skipBlanks();
    nodes.push(readNode(reader, depth));
    cursor.skipBlanks();
  } while (cursor.take(','));
  if (!cursor.take(')')) throw unexpected(cursor);
  cursor.skipBlanks();
  return { kind, nodes };
}

function readNode(reader: Reader, depth: number): Tree {
  const { cursor } = reader;
  const group = cursor.match(GROUP);
  if (group) {
    const node = readGroup(reader, group[2] === 'or' ? 'or' : 'and', depth + 1);
    return group[1] === undefined ? node : { kind: 'not', node };
  }
  if (cursor.isAtEnd || cursor.next === ',' || cursor.next === ')') {
    throw syntaxError('a logic tree has an empty item');
  }
  const field = readField(cursor, STOPS);
  const [, test = '', keyword] = cursor.match(TEST) ?? [];
  if (test === '') {
    throw syntaxError(`${shorten(field.name)} in a logic tree is not followed by operator.value`);
  }
  return keyword === undefined
    ? parseCondition(field, test, reader.slot++)
    : parseCondition(field, test + keyword, undefined);
}

function unexpected(cursor: Cursor): Error {
  const found = cursor.isAtEnd ? 'a parenthesis is not closed' : `"${cursor.rest}" is not expected`;
  return syntaxError(`a logic tree is not well formed: ${found}`);
}
