import { useEffect, useMemo, useRef, useState } from 'react';

import type { Graph } from './graph.js';
import type { Layout, LayoutInput } from './layout.js';

export interface DiagramLayout {
  /** Undefined until the first one is ready; then the last one, while the next is made. */
  readonly layout: Layout | undefined;
  /** The graph that the layout belongs to. */
  readonly graph: Graph;
  readonly isFailed: boolean;
}

interface Done {
  readonly key: string;
  readonly graph: Graph;
  readonly layout: Layout;
}

/** The places of the boxes of a graph, made by a worker. A graph of the same boxes and lines keeps its layout. */
export function useLayout(graph: Graph): DiagramLayout {
  const [done, setDone] = useState<Done>();
  const [failedKey, setFailedKey] = useState<string>();
  // Comments and policies have no influence on places.
  const key = useMemo(() => JSON.stringify(inputOf(graph)), [graph]);
  const latest = useRef(graph);
  useEffect(() => {
    latest.current = graph;
  });
  useEffect(() => {
    const asked = latest.current;
    // One for each layout: the next filter ends the work on the one before.
    const worker = new Worker(new URL('./layout-worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<Layout>) => {
      setDone({ key, graph: asked, layout: data });
      worker.terminate();
    });
    worker.addEventListener('error', () => setFailedKey(key));
    worker.postMessage(inputOf(asked));
    return () => worker.terminate();
  }, [key]);
  const isCurrent = done === undefined || done.key === key;
  return {
    layout: done?.layout,
    graph: isCurrent ? graph : done.graph,
    isFailed: failedKey === key,
  };
}

function inputOf({ boxes, relations }: Graph): LayoutInput {
  return {
    nodes: boxes.map(({ id, width, height }) => ({ id, width, height })),
    edges: relations.map(({ from, to }) => [to, from] as const),
  };
}
