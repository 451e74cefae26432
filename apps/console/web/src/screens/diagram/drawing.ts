// A diagram as shapes, which svg.ts and png.ts write as pictures. Pictures have their own colors: they leave the console.
import { type BoxColumn, type Graph, headPx, rowPx, type TableBox } from './graph.js';
import type { Layout, Place } from './layout.js';
import { linesOf } from './lines.js';
import { stateOf } from './table-state.js';

export type Shape =
  | {
      readonly kind: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly radius: number;
      readonly fill: string;
      readonly stroke: string | undefined;
    }
  | {
      readonly kind: 'text';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly size: number;
      readonly weight: 400 | 600;
      readonly fill: string;
      readonly anchor: 'start' | 'end';
    }
  | { readonly kind: 'line'; readonly path: string; readonly stroke: string };

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly background: string;
  readonly shapes: readonly Shape[];
}

export const fontFamily = 'Helvetica, Arial, sans-serif';
const marginPx = 32;

const colors = {
  background: '#ffffff',
  box: '#ffffff',
  head: '#eff1f3',
  border: '#878e99',
  ink: '#171b20',
  soft: '#566070',
  line: '#566070',
  key: '#0b6b5d',
  good: '#17724a',
  warn: '#865000',
  danger: '#b3261e',
} as const;

/** All boxes and lines, with a margin around them. */
export function drawingOf(graph: Graph, layout: Layout): Drawing {
  const shifted: Layout = {
    ...layout,
    places: new Map(
      [...layout.places].map(([id, { x, y }]) => [id, { x: x + marginPx, y: y + marginPx }]),
    ),
  };
  const lines = linesOf(graph, shifted).flatMap(({ curve, mark }): Shape[] => [
    { kind: 'line', path: curve, stroke: colors.line },
    { kind: 'line', path: mark, stroke: colors.line },
  ]);
  const boxes = graph.boxes.flatMap((box) => {
    const place = shifted.places.get(box.id);
    return place ? boxShapes(box, place) : [];
  });
  return {
    width: Math.ceil(layout.width + 2 * marginPx),
    height: Math.ceil(layout.height + 2 * marginPx),
    background: colors.background,
    shapes: [...boxes, ...lines],
  };
}

function boxShapes(box: TableBox, { x, y }: Place): readonly Shape[] {
  const { width, height, name, columns, moreColumns, table } = box;
  const frame = { kind: 'box', x, y, width, radius: 6 } as const;
  const state = table && stateOf(table);
  const stateWidth = state ? state.words.length * 6.2 + 22 : 20;
  const right = { anchor: 'end', x: x + width - 10 } as const;
  return [
    { ...frame, height, fill: colors.box, stroke: colors.border },
    { ...frame, height: Math.min(headPx, height), fill: colors.head, stroke: colors.border },
    text({
      x: x + 10,
      y: y + headPx / 2,
      text: fitted(name, width - stateWidth, 7.6),
      weight: 600,
    }),
    ...(state
      ? [
          text({
            ...right,
            y: y + headPx / 2,
            text: state.words,
            size: 11,
            fill: colors[state.kind],
          }),
        ]
      : []),
    ...columns.flatMap((column, index) => {
      return columnShapes(column, { x, y: y + headPx + index * rowPx + rowPx / 2 }, width);
    }),
    ...(moreColumns > 0
      ? [
          text({
            x: x + 10,
            y: y + headPx + columns.length * rowPx + rowPx / 2,
            text: `and ${moreColumns} more`,
            fill: colors.soft,
          }),
        ]
      : []),
  ];
}

function columnShapes(column: BoxColumn, { x, y }: Place, width: number): readonly Shape[] {
  const { name, type, isPrimary, isForeign, isNullable } = column;
  const key = isPrimary ? 'PK' : isForeign ? 'FK' : '';
  const typeText = `${type}${isNullable ? '?' : ''}`;
  const room = width - 50;
  const nameRoom = Math.max(room - typeText.length * 6.6, room / 2);
  const shownName = fitted(name, nameRoom, 7);
  const typeRoom = room - shownName.length * 7;
  return [
    ...(key === '' ? [] : [text({ x: x + 10, y, text: key, size: 10, fill: colors.key })]),
    text({ x: x + 32, y, text: shownName, weight: isPrimary ? 600 : 400 }),
    text({
      x: x + width - 10,
      y,
      text: fitted(typeText, typeRoom, 6.6),
      size: 12,
      fill: colors.soft,
      anchor: 'end',
    }),
  ];
}

type Text = Extract<Shape, { readonly kind: 'text' }>;

function text(given: Pick<Text, 'x' | 'y' | 'text'> & Partial<Text>): Text {
  const usual = { kind: 'text', size: 13, weight: 400, fill: colors.ink, anchor: 'start' } as const;
  return { ...usual, ...given };
}

/** A text cut to a width, by the usual width of a letter. */
function fitted(words: string, room: number, letter: number): string {
  const letters = [...words];
  const count = Math.max(3, Math.floor(room / letter));
  return letters.length <= count ? words : `${letters.slice(0, count - 1).join('')}…`;
}
