// The lines of a diagram: from the column of a foreign key to the column that it refers to.
import { type Graph, headPx, type Relation, rowPx, type TableBox } from './graph.js';
import type { Layout } from './layout.js';

export interface Line {
  readonly relation: Relation;
  /** The curve as a path of SVG. */
  readonly curve: string;
  /** The sign at the end that refers: a fork for many rows, a bar for one at most. */
  readonly mark: string;
}

/** How far a line goes straight before it turns. */
const reachPx = 34;
const forkPx = 9;

interface End {
  readonly x: number;
  readonly y: number;
  /** Where the line leaves the box: 1 to the right, -1 to the left. */
  readonly side: 1 | -1;
}

/** The lines of all relations whose boxes have a place. */
export function linesOf({ boxes, relations }: Graph, { places }: Layout): readonly Line[] {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  return relations.flatMap((relation) => {
    const from = byId.get(relation.from);
    const to = byId.get(relation.to);
    const fromPlace = places.get(relation.from);
    const toPlace = places.get(relation.to);
    if (!from || !to || !fromPlace || !toPlace) return [];
    const [fromSide, toSide] = sidesOf(
      { left: fromPlace.x, right: fromPlace.x + from.width },
      { left: toPlace.x, right: toPlace.x + to.width },
    );
    const start: End = {
      x: fromPlace.x + (fromSide === 1 ? from.width : 0),
      y: fromPlace.y + heightOf(from, relation.fromColumns),
      side: fromSide,
    };
    const end: End = {
      x: toPlace.x + (toSide === 1 ? to.width : 0),
      y: toPlace.y + heightOf(to, relation.toColumns),
      side: toSide,
    };
    return [{ relation, curve: curveOf(start, end), mark: markOf(start, relation.isOneToOne) }];
  });
}

interface Span {
  readonly left: number;
  readonly right: number;
}

/** Boxes beside each other are joined on the sides that face each other; others to the right. */
function sidesOf(from: Span, to: Span): readonly [1 | -1, 1 | -1] {
  if (from.left >= to.right) return [-1, 1];
  if (from.right <= to.left) return [1, -1];
  return [1, 1];
}

/** The middle of the first of the columns that is drawn; of the head if none is. */
function heightOf({ columns }: TableBox, names: readonly string[]): number {
  const index = columns.findIndex(({ name }) => names.includes(name));
  return index < 0 ? headPx / 2 : headPx + index * rowPx + rowPx / 2;
}

function curveOf(start: End, end: End): string {
  const reach = Math.max(reachPx, Math.abs(end.x - start.x) / 2);
  const bend = ({ x, y, side }: End): string => `${round(x + side * reach)} ${round(y)}`;
  return `M${round(start.x)} ${round(start.y)}C${bend(start)} ${bend(end)} ${round(end.x)} ${round(end.y)}`;
}

function markOf({ x, y, side }: End, isOne: boolean): string {
  const out = round(x + side * forkPx);
  if (isOne) return `M${out} ${round(y - 5)}V${round(y + 5)}`;
  return `M${round(x)} ${round(y - 5)}L${out} ${round(y)}L${round(x)} ${round(y + 5)}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
