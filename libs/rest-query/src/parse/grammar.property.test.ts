// Requests are made from what they mean, written down, and read back.
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { AGGREGATES } from '../types/grammar.js';
import type {
  Comparison,
  FieldName,
  FilterTree,
  JsonStep,
  SelectItem,
  Test,
} from '../types/grammar.js';
import { parseClauses } from './clauses.js';
import { parseValueList } from './list.js';
import { parseOrder } from './order.js';
import { parametersOfKey, templateOf } from './query-template.js';
import { parseSelect } from './select.js';

/** More of them at night. */
const RUNS = { numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) };
/** Any text that a request may hold. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom(...'"\\,.:()[]{}!->* =&%+;\'aä日'), maxLength: 12 }),
  )
  .filter((value) => !value.includes('\0'));
const name = fc.oneof(
  fc.constantFrom('id', 'name', 'not', 'and', 'count', 'order', 'Server Today', 'do$llar$s'),
  text.filter((value) => value !== '' && Buffer.byteLength(value) <= 63),
);
const cast = fc.option(fc.constantFrom('text', 'int[]', '_my_type2'), { nil: undefined });

const SIMPLE = /^[a-z][\w$]*( [\w$]+)*$/i;
const escape = (value: string): string => value.replace(/[\\"]/g, String.raw`\$&`);
const quote = (value: string): string => `"${escape(value)}"`;
const writeName = (value: string): string => (SIMPLE.test(value) ? value : quote(value));

const step: fc.Arbitrary<JsonStep> = fc.oneof(
  fc.record({ kind: fc.constant('key'), key: text, isText: fc.constant(false) }),
  fc.record({
    kind: fc.constant('index'),
    key: fc.integer({ min: -9, max: 99_999 }).map(String),
    isText: fc.constant(false),
  }),
);
const path: fc.Arbitrary<readonly JsonStep[]> = fc
  .tuple(fc.array(step, { maxLength: 4 }), fc.boolean())
  .map(([steps, isText]) =>
    steps.map((each, i) => ({ ...each, isText: isText && i === steps.length - 1 })),
  );
const field: fc.Arbitrary<FieldName> = fc.record({ name, path });

function writeSteps(steps: readonly JsonStep[]): string {
  return steps
    .map(({ kind, key, isText }) => `->${isText ? '>' : ''}${kind === 'index' ? key : quote(key)}`)
    .join('');
}

function writeField({ name: column, path: steps }: FieldName): string {
  return writeName(column) + writeSteps(steps);
}

const select = fc.letrec<{ item: SelectItem; items: readonly SelectItem[] }>((tie) => ({
  items: fc.array(tie('item'), { minLength: 1, maxLength: 4, depthIdentifier: 'select' }),
  item: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'select' },
    fc.constant<SelectItem>({ kind: 'all' }),
    fc.record({
      kind: fc.constant('field'),
      field,
      alias: fc.option(name, { nil: undefined }),
      cast,
      aggregation: fc.option(fc.record({ function: fc.constantFrom(...AGGREGATES), cast }), {
        nil: undefined,
      }),
    }),
    fc.record({ kind: fc.constant('count'), alias: fc.option(name, { nil: undefined }), cast }),
    fc.record({
      kind: fc.constant('embed'),
      relation: name,
      alias: fc.option(name, { nil: undefined }),
      hint: fc.option(name, { nil: undefined }),
      join: fc.constantFrom(undefined, 'left', 'inner'),
      isSpread: fc.boolean(),
      select: fc.oneof(fc.constant([]), tie('items')),
    }),
  ),
})).items;

const writeAlias = (alias: string | undefined): string =>
  alias === undefined ? '' : `${writeName(alias)}:`;
const writeCast = (type: string | undefined): string => (type === undefined ? '' : `::${type}`);

function writeItem(item: SelectItem): string {
  switch (item.kind) {
    case 'all':
      return '*';
    case 'count':
      return `${writeAlias(item.alias)}count()${writeCast(item.cast)}`;
    case 'field': {
      const { aggregation: called } = item;
      const aggregate = called ? `.${called.function}()${writeCast(called.cast)}` : '';
      return writeAlias(item.alias) + writeField(item.field) + writeCast(item.cast) + aggregate;
    }
    case 'embed': {
      const hint = item.hint === undefined ? '' : `!${quote(item.hint)}`;
      const join = item.join === undefined ? '' : `!${item.join}`;
      const relation = item.relation === 'count' ? '"count"' : writeName(item.relation);
      const target = writeAlias(item.alias) + relation + hint + join;
      return `${item.isSpread ? '...' : ''}${target}(${item.select.map(writeItem).join(', ')})`;
    }
  }
}

test('any select is read as it was meant', () => {
  fc.assert(
    fc.property(select, (items) => {
      expect(parseSelect(items.map(writeItem).join(','))).toEqual(items);
    }),
    RUNS,
  );
});

test('any order is read as it was meant', () => {
  const term = fc.record({
    value: fc.record({ relation: fc.option(name, { nil: undefined }), field }),
    isDescending: fc.boolean(),
    nulls: fc.constantFrom(undefined, 'first', 'last'),
  });
  fc.assert(
    fc.property(fc.array(term, { maxLength: 5 }), (terms) => {
      const written = terms.map(({ value, isDescending, nulls }) => {
        const column = writeField(value.field);
        const ordered =
          value.relation === undefined ? column : `${writeName(value.relation)}(${column})`;
        return `${ordered}${isDescending ? '.desc' : ''}${nulls ? `.nulls${nulls}` : ''}`;
      });
      expect(parseOrder(written.join(','))).toEqual(terms);
    }),
    RUNS,
  );
});

/** A condition: its column, its text before the operand, its test, and what it compares with. */
interface Written {
  readonly field: FieldName;
  readonly isNegated: boolean;
  readonly operator: string;
  readonly test: (slot: number) => Test;
  readonly operand: { readonly written: string; readonly value: string } | undefined;
}

const compare = fc
  .record({
    operator: fc.constantFrom<Comparison>('eq', 'neq', 'like', 'cs', 'sl', 'isdistinct'),
    value: text,
  })
  .map(({ operator, value }) => ({
    operator: `${operator}.`,
    test: (slot: number): Test => ({ kind: 'compare', operator, quantifier: undefined, slot }),
    operand: { written: quote(value), value },
  }));
const search = fc
  .record({
    operator: fc.constantFrom('fts', 'plfts', 'phfts', 'wfts'),
    config: fc.constantFrom(undefined, 'english', 'pg_catalog.simple'),
    value: text,
  })
  .map(({ operator, config, value }) => ({
    operator: `${operator}${config === undefined ? '' : `(${config})`}.`,
    test: (slot: number): Test => ({ kind: 'search', operator, config, slot }),
    operand: { written: quote(value), value },
  }));
const list = fc.array(text).map((values) => {
  const written = `(${values.map(quote).join(',')})`;
  return {
    operator: 'in.',
    test: (slot: number): Test => ({ kind: 'in', slot }),
    operand: { written, value: written },
  };
});
const array = fc.array(text).map((values) => {
  const written = `{${values.map(quote).join(',')}}`;
  return {
    operator: 'like(any).',
    test: (slot: number): Test => ({ kind: 'compare', operator: 'like', quantifier: 'any', slot }),
    operand: { written, value: written },
  };
});
const is = fc.constantFrom('null', 'not_null', 'true', 'false', 'unknown').map((keyword) => ({
  operator: `is.${keyword}`,
  test: (): Test => ({ kind: 'is', keyword }),
  operand: undefined,
}));
const condition: fc.Arbitrary<Written> = fc
  .tuple(field, fc.boolean(), fc.oneof(compare, search, list, array, is))
  .map(([of, isNegated, rest]) => ({ field: of, isNegated, ...rest }));

const tree = fc.letrec<{ node: FilterTree<Written> }>((tie) => {
  const nodes = fc.array(tie('node'), { minLength: 1, maxLength: 4, depthIdentifier: 'tree' });
  const group = fc.record({ kind: fc.constantFrom('and', 'or'), nodes });
  return {
    node: fc.oneof(
      { maxDepth: 6, depthIdentifier: 'tree' },
      condition.map((leaf) => ({ kind: 'leaf' as const, leaf })),
      group,
      group.map((node) => ({ kind: 'not' as const, node })),
    ),
  };
}).node;

function writeTree(node: FilterTree<Written>): string {
  switch (node.kind) {
    case 'leaf': {
      const { field: of, isNegated, operator, operand } = node.leaf;
      const value = operand?.written ?? '';
      return `${writeField(of)}.${isNegated ? 'not.' : ''}${operator}${value}`;
    }
    case 'not':
      return `not.${writeTree(node.node)}`;
    case 'and':
    case 'or':
      return `${node.kind}(${node.nodes.map(writeTree).join(', ')})`;
  }
}

/** The tree that is to be read, and its operands in their order. */
function meaning(node: FilterTree<Written>, operands: string[]): unknown {
  switch (node.kind) {
    case 'leaf': {
      const { field: of, isNegated, test: makeTest, operand } = node.leaf;
      const leaf = { kind: 'leaf', leaf: { field: of, test: makeTest(operands.length) } };
      if (operand) operands.push(operand.value);
      return isNegated ? { kind: 'not', node: leaf } : leaf;
    }
    case 'not':
      return { kind: 'not', node: meaning(node.node, operands) };
    case 'and':
    case 'or':
      return { kind: node.kind, nodes: node.nodes.map((each) => meaning(each, operands)) };
  }
}

test('any logic tree is read as it was meant, and its operands come back unchanged', () => {
  const embeds = fc.array(
    name.filter((each) => each !== 'not'),
    { maxLength: 3 },
  );
  const group = tree.filter((node) => node.kind === 'and' || node.kind === 'or');
  fc.assert(
    fc.property(embeds, fc.boolean(), group, (levels, isNegated, node) => {
      const written = writeTree(node);
      const parameter = `${levels.map((each) => `${writeName(each)}.`).join('')}${isNegated ? 'not.' : ''}${node.kind}`;
      const query = `${encodeURIComponent(parameter)}=${encodeURIComponent(written.slice(node.kind.length))}`;
      const { key, operands } = templateOf(query, 'table');
      const { root, embedded } = parseClauses(parametersOfKey(key), 'table');
      const expected: string[] = [];
      const expectedNode = meaning(node, expected);
      expect(operands).toEqual(expected);
      expect(levels.length === 0 ? root : embedded[0]).toMatchObject({
        where: {
          kind: 'and',
          nodes: [isNegated ? { kind: 'not', node: expectedNode } : expectedNode],
        },
        ...(levels.length > 0 && { path: levels }),
      });
    }),
    RUNS,
  );
});

test('any filter is read as it was meant, and its operand is not touched', () => {
  const operator = fc.constantFrom<Comparison>('eq', 'neq', 'ilike', 'cs', 'adj', 'isdistinct');
  const levels = fc.array(name, { maxLength: 3 });
  const filter = fc.record({ levels, field, operator, value: text });
  const resource = fc.constantFrom('table', 'function');
  fc.assert(
    fc.property(fc.array(filter, { maxLength: 5 }), resource, (filters, kind) => {
      const query = filters.map((each) => {
        const names = [...each.levels, each.field.name].map(quote).join('.');
        const parameter = encodeURIComponent(names + writeSteps(each.field.path));
        return `${parameter}=${encodeURIComponent(`${each.operator}.${each.value}`)}`;
      });
      const { key, operands } = templateOf(query.join('&'), kind);
      expect(operands).toEqual(filters.map(({ value }) => value));
      const { root, embedded } = parseClauses(parametersOfKey(key), kind);
      const read = [{ path: [], ...root }, ...embedded].flatMap(({ path: of, where }) =>
        where.kind === 'and' ? where.nodes.map((node) => ({ levels: of, node })) : [],
      );
      const meant = filters.map((each, slot) => {
        const compared = { kind: 'compare', operator: each.operator, quantifier: undefined, slot };
        const leaf = { field: each.field, test: compared };
        return { levels: each.levels, node: { kind: 'leaf', leaf } };
      });
      expect(read).toHaveLength(meant.length);
      expect(read).toEqual(expect.arrayContaining(meant));
    }),
    RUNS,
  );
});

test('a list of quoted and escaped values is read back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
      expect(parseValueList(`(${values.map(quote).join(',')})`)).toEqual(values);
    }),
  );
});
