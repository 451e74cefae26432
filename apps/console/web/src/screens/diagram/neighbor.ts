// From box to box by the arrow keys.
import type { TableBox } from './graph.js';
import type { Layout } from './layout.js';

interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** How far a box is behind the edge of another one in the direction of a key; negative if it is not behind it. */
const gaps = {
  ArrowLeft: (from: Edges, to: Edges) => from.left - to.right,
  ArrowRight: (from: Edges, to: Edges) => to.left - from.right,
  ArrowUp: (from: Edges, to: Edges) => from.top - to.bottom,
  ArrowDown: (from: Edges, to: Edges) => to.top - from.bottom,
} as const;

export type ArrowKey = keyof typeof gaps;

export const isArrowKey = (key: string): key is ArrowKey => Object.hasOwn(gaps, key);

/** The nearest box in the direction of a key; the first one if none is chosen, undefined if there is none. */
export function neighborOf(
  boxes: readonly TableBox[],
  { places }: Pick<Layout, 'places'>,
  { from, key }: { readonly from: string | undefined; readonly key: ArrowKey },
): TableBox | undefined {
  const edgesOf = ({ id, width, height }: TableBox): Edges => {
    const { x, y } = places.get(id) ?? { x: 0, y: 0 };
    return { left: x, top: y, right: x + width, bottom: y + height };
  };
  const start = boxes.find(({ id }) => id === from);
  if (!start) return boxes[0];
  const own = edgesOf(start);
  const isAcross = key === 'ArrowLeft' || key === 'ArrowRight';
  const candidates = boxes.flatMap((box) => {
    const other = edgesOf(box);
    const gap = gaps[key](own, other);
    const aside = isAcross
      ? Math.abs(other.top + other.bottom - own.top - own.bottom)
      : Math.abs(other.left + other.right - own.left - own.right);
    return gap >= 0 ? [{ box, distance: gap + aside }] : [];
  });
  return candidates.toSorted((one, other) => one.distance - other.distance)[0]?.box;
}
