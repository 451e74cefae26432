import { expect, test } from 'vitest';

import { graphOf } from './graph.js';
import { type Layout, type LayoutInput, layOut } from './layout.js';
import { linesOf } from './lines.js';
import { neighborOf } from './neighbor.js';
import { foreignKey, shop, table } from '../project/sample-tables.js';

const graph = graphOf(shop, {});
const inputOf = ({ boxes, relations }: typeof graph): LayoutInput => ({
  nodes: boxes,
  edges: relations.map(({ from, to }) => [to, from] as const),
});

/** Pairs of boxes that lie over each other. */
function overlaps({ nodes }: LayoutInput, { places }: Layout): readonly string[] {
  const placed = nodes.map((node) => ({ ...node, ...places.get(node.id) }));
  return placed.flatMap((one, index) =>
    placed
      .slice(index + 1)
      .filter(
        (other) =>
          (one.x ?? 0) < (other.x ?? 0) + other.width &&
          (other.x ?? 0) < (one.x ?? 0) + one.width &&
          (one.y ?? 0) < (other.y ?? 0) + other.height &&
          (other.y ?? 0) < (one.y ?? 0) + one.height,
      )
      .map((other) => `${one.id} ${other.id}`),
  );
}

test('a table is to the left of those that refer to it, and no boxes lie over each other', () => {
  const layout = layOut(inputOf(graph));
  const x = (id: string): number => layout.places.get(id)?.x ?? Number.NaN;
  expect(x('auth."user"')).toBeLessThan(x('public.customers'));
  expect(x('public.customers')).toBeLessThan(x('public.orders'));
  expect(x('public.orders')).toBeLessThan(x('public.lines'));
  expect(overlaps(inputOf(graph), layout)).toEqual([]);
});

test('hundreds of tables, also in circles, have places within the diagram', () => {
  const tables = Array.from({ length: 300 }, (_, index) =>
    table(`t${index}`, {
      foreignKeys: [
        ...(index % 3 === 0 ? [foreignKey('id', `t${Math.floor(index / 3)}`)] : []),
        ...(index % 50 === 1 ? [foreignKey('name', `t${(index * 7) % 300}`)] : []),
      ],
    }),
  );
  const many = inputOf(graphOf(tables, {}));
  const layout = layOut(many);
  expect(layout.places.size).toBe(300);
  expect(overlaps(many, layout)).toEqual([]);
  for (const { id, width, height } of many.nodes) {
    const { x, y } = layout.places.get(id) ?? { x: -1, y: -1 };
    expect(x).toBeGreaterThanOrEqual(0);
    expect(y).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(layout.width + 1);
    expect(y + height).toBeLessThanOrEqual(layout.height + 1);
  }
  expect(layOut(many)).toEqual(layout);
});

test('nothing has no size', () => {
  expect(layOut({ nodes: [], edges: [] })).toEqual({ places: new Map(), width: 0, height: 0 });
});

test('each relation has a line, also from a table to itself', () => {
  const lines = linesOf(graph, layOut(inputOf(graph)));
  expect(lines.map(({ relation }) => relation.id)).toEqual(graph.relations.map(({ id }) => id));
  for (const { curve, mark } of lines) expect(curve + mark).toMatch(/^M[-\d. CMLV]+$/);
});

test('the arrow keys go to the nearest box of their direction', () => {
  const layout = layOut(inputOf(graph));
  const from = 'public.customers';
  const go = (key: 'ArrowRight' | 'ArrowLeft', start: string | undefined = from) =>
    neighborOf(graph.boxes, layout, { from: start, key })?.id;
  expect(go('ArrowRight')).toBe('public.orders');
  expect(go('ArrowLeft')).toBe('auth."user"');
  expect(go('ArrowLeft', 'auth."user"')).toBeUndefined();
  expect(neighborOf(graph.boxes, layout, { from: undefined, key: 'ArrowUp' })?.id).toBe(from);
});
