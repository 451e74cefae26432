// Where the boxes of a diagram are: related tables by dagre, from the left to the right, and what is not related beside
// each other. It runs in a worker (layout-worker.ts) and must not know the page.
import { Graph, layout as placeByRank } from '@dagrejs/dagre';

export interface LayoutInput {
  readonly nodes: readonly {
    readonly id: string;
    readonly width: number;
    readonly height: number;
  }[];
  /** From a table to the table that refers to it, which is placed to its right. */
  readonly edges: readonly (readonly [from: string, to: string])[];
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** The corner at the top left of each box, by its id. */
  readonly places: ReadonlyMap<string, Place>;
  readonly width: number;
  readonly height: number;
}

/** Between boxes of a rank, between ranks, and between groups that are not related. */
const gaps = { boxes: 28, ranks: 96, groups: 56 } as const;
/** More boxes than this are ranked by a faster method, which draws longer lines. */
const maxCareful = 120;
/** A diagram is about this much wider than high. */
const aspect = 1.6;

type LayoutNode = LayoutInput['nodes'][number];

/** A group of related tables with places of their own. */
interface Group extends Layout {
  readonly isSingle: boolean;
}

/** Places all boxes. The same input gives the same places. */
export function layOut(input: LayoutInput): Layout {
  const groups = groupsOf(input).map((nodes) => placeGroup(nodes, input.edges));
  const ordered = groups.toSorted(
    (one, other) =>
      Number(one.isSingle) - Number(other.isSingle) ||
      other.height - one.height ||
      other.width - one.width,
  );
  return pack(ordered);
}

/** Boxes that lines join, directly or over others. */
function groupsOf({ nodes, edges }: LayoutInput): readonly (readonly LayoutNode[])[] {
  const neighbors = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const [from, to] of edges) {
    neighbors.get(from)?.push(to);
    neighbors.get(to)?.push(from);
  }
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const seen = new Set<string>();
  const groups: LayoutNode[][] = [];
  for (const { id } of nodes) {
    if (seen.has(id)) continue;
    const group: LayoutNode[] = [];
    const waiting = [id];
    seen.add(id);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const node = byId.get(next);
      if (node) group.push(node);
      for (const other of neighbors.get(next) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        waiting.push(other);
      }
    }
    groups.push(group);
  }
  return groups;
}

function placeGroup(nodes: readonly LayoutNode[], edges: LayoutInput['edges']): Group {
  const [only] = nodes;
  if (nodes.length === 1 && only !== undefined) {
    const { id, width, height } = only;
    return { places: new Map([[id, { x: 0, y: 0 }]]), width, height, isSingle: true };
  }
  const graph = new Graph({ multigraph: false });
  graph.setGraph({
    rankdir: 'LR',
    nodesep: gaps.boxes,
    ranksep: gaps.ranks,
    ranker: nodes.length > maxCareful ? 'longest-path' : 'network-simplex',
  });
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  const own = new Set(nodes.map(({ id }) => id));
  for (const [from, to] of edges) if (own.has(from) && from !== to) graph.setEdge(from, to, {});
  placeByRank(graph);
  return atOrigin(nodes, (id) => readPlace(graph.node(id)));
}

function readPlace(node: unknown): Place {
  const { x, y } = { x: 0, y: 0, ...(typeof node === 'object' ? node : {}) };
  return { x: Number(x), y: Number(y) };
}

/** The group with its first corner at 0, 0. dagre gives centers. */
function atOrigin(nodes: readonly LayoutNode[], center: (id: string) => Place): Group {
  const corners = nodes.map(({ id, width, height }) => {
    const { x, y } = center(id);
    return { id, width, height, x: x - width / 2, y: y - height / 2 };
  });
  const left = Math.min(...corners.map(({ x }) => x));
  const top = Math.min(...corners.map(({ y }) => y));
  return {
    places: new Map(
      corners.map(({ id, x, y }) => [id, { x: Math.round(x - left), y: Math.round(y - top) }]),
    ),
    width: Math.max(...corners.map(({ x, width }) => x + width)) - left,
    height: Math.max(...corners.map(({ y, height }) => y + height)) - top,
    isSingle: false,
  };
}

/** Groups in rows, as words in lines. */
function pack(groups: readonly Group[]): Layout {
  const area = groups.reduce((sum, { width, height }) => {
    return sum + (width + gaps.groups) * (height + gaps.groups);
  }, 0);
  const lineWidth = Math.max(Math.sqrt(area * aspect), ...groups.map(({ width }) => width));
  const places = new Map<string, Place>();
  const line = { x: 0, y: 0, height: 0 };
  let right = 0;
  for (const group of groups) {
    if (line.x > 0 && line.x + group.width > lineWidth) {
      line.y += line.height + gaps.groups;
      line.x = 0;
      line.height = 0;
    }
    for (const [id, { x, y }] of group.places) places.set(id, { x: line.x + x, y: line.y + y });
    right = Math.max(right, line.x + group.width);
    line.height = Math.max(line.height, group.height);
    line.x += group.width + gaps.groups;
  }
  return { places, width: right, height: line.y + line.height };
}
