import '@xyflow/react/dist/base.css';
import './diagram.css';

import { useNavigate } from '@tanstack/react-router';
import { MiniMap, Panel, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { Maximize, Minus, Plus } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useMemo } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { useNarrow } from '../../ui/narrow.js';
import { useProject } from '../project/use-project.js';
import { type Graph, type TableBox } from './graph.js';
import type { Layout } from './layout.js';
import { linesOf } from './lines.js';
import { isArrowKey, neighborOf } from './neighbor.js';
import { RelationLines } from './relation-lines.js';
import { type BoxNode, TableNode } from './table-node.js';
import { useView, zooms } from './use-view.js';
import { ViewProvider } from './view-context.js';

interface CanvasProps {
  readonly graph: Graph;
  readonly layout: Layout;
  readonly chosen: TableBox | undefined;
  readonly found: ReadonlySet<string> | undefined;
  readonly onChoose: (box: TableBox | undefined) => void;
}

const nodeTypes = { table: TableNode };
/** The least number of boxes with which there is a map. */
const minOfMap = 30;

/** The picture. It is moved and zoomed by pointer or by keys. */
export function Canvas(props: CanvasProps): ReactNode {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}

function Flow({ graph, layout, chosen, found, onChoose }: CanvasProps): ReactNode {
  const { ref } = useProject();
  const navigate = useNavigate();
  const { isFar, showAll, zoomIn, zoomOut } = useView(layout, chosen);
  const isNarrow = useNarrow();
  const hint = useId();
  const nodes = useMemo(() => nodesOf(graph, layout), [graph, layout]);
  const lines = useMemo(() => linesOf(graph, layout), [graph, layout]);
  const chosenId = chosen?.id;
  const view = useMemo(
    () => ({ isFar, chosen: chosenId, found, related: relatedTo(graph, chosenId) }),
    [isFar, chosenId, found, graph],
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys of the buttons and links within are theirs.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey)
      return;
    const { key } = event;
    if (isArrowKey(key))
      onChoose(neighborOf(graph.boxes, layout, { from: chosenId, key }) ?? chosen);
    else if (key === '+' || key === '=') zoomIn();
    else if (key === '-') zoomOut();
    else if (key === '0') showAll();
    else if (key === 'Escape' && chosen) onChoose(undefined);
    else if (key === 'Enter' && chosen?.table) {
      const { schema, name } = chosen.table;
      const params = { ref };
      if (event.shiftKey && schema === 'public')
        void navigate({ to: '/projects/$ref/structure', params, search: { table: name } });
      else void navigate({ to: '/projects/$ref/tables', params, search: { table: name, schema } });
    } else return;
    event.preventDefault();
  };
  return (
    <ViewProvider value={view}>
      <p id={hint} className="sr-only">
        The arrow keys go from table to table. Enter opens the rows of a table, Shift and Enter its
        structure. Plus and minus zoom, 0 shows everything. The tab Relations has the same as a
        list.
      </p>
      <ReactFlow<BoxNode>
        className="diagram rounded-lg border border-line focus-visible:outline-2"
        nodes={nodes}
        nodeTypes={nodeTypes}
        minZoom={zooms.min}
        maxZoom={zooms.max}
        onlyRenderVisibleElements
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        elementsSelectable={false}
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        zoomActivationKeyCode={null}
        disableKeyboardA11y
        proOptions={{ hideAttribution: true }}
        onNodeClick={(_, { data: { box } }) => onChoose(box.id === chosenId ? undefined : box)}
        onPaneClick={() => chosen && onChoose(undefined)}
        tabIndex={0}
        aria-label={`Diagram of ${counted(graph.boxes.length, 'table')}`}
        aria-describedby={hint}
        onKeyDown={onKeyDown}
      >
        <RelationLines lines={lines} size={layout} />
        <Panel position="bottom-left">
          <div className="flex gap-1">
            <Button size="icon" aria-label="Zoom in" onClick={zoomIn}>
              <Plus aria-hidden className="size-4" />
            </Button>
            <Button size="icon" aria-label="Zoom out" onClick={zoomOut}>
              <Minus aria-hidden className="size-4" />
            </Button>
            <Button size="icon" aria-label="Show everything" onClick={showAll}>
              <Maximize aria-hidden className="size-4" />
            </Button>
          </div>
        </Panel>
        {graph.boxes.length >= minOfMap && !isNarrow && (
          <MiniMap pannable zoomable ariaLabel="The place in the diagram" />
        )}
      </ReactFlow>
    </ViewProvider>
  );
}

function nodesOf({ boxes }: Graph, { places }: Layout): BoxNode[] {
  return boxes.flatMap((box): BoxNode[] => {
    const { id, name, width, height, columns } = box;
    const position = places.get(id);
    if (!position) return [];
    return [
      {
        id,
        type: 'table',
        position,
        data: { box },
        width,
        height,
        measured: { width, height },
        // Without handles of its own, each box would be drawn once to look for them.
        handles: [],
        ariaRole: 'group',
        ariaLabel: `${name}, ${counted(columns.length, 'column')}`,
        domAttributes: { 'aria-roledescription': 'table' },
      },
    ];
  });
}

function relatedTo(
  { relations }: Graph,
  chosen: string | undefined,
): ReadonlySet<string> | undefined {
  if (chosen === undefined) return undefined;
  const near = relations.filter(({ from, to }) => from === chosen || to === chosen);
  return new Set([chosen, ...near.flatMap(({ from, to }) => [from, to])]);
}
