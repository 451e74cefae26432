import {
  getViewportForBounds,
  type ReactFlowState,
  useReactFlow,
  useStore,
  useStoreApi,
} from '@xyflow/react';
import { useCallback, useEffect } from 'react';

import type { TableBox } from './graph.js';
import type { Layout } from './layout.js';

export const zooms = { min: 0.02, max: 2, whole: 1, box: 0.85 } as const;
/** Below this zoom the rows of a table cannot be read. */
const farZoom = 0.42;
const padding = 0.06;

const isReadyOf = ({ panZoom, width }: ReactFlowState): boolean => panZoom !== null && width > 0;
const isFarOf = ({ transform }: ReactFlowState): boolean => transform[2] < farZoom;

export interface View {
  readonly isFar: boolean;
  readonly showAll: () => void;
  readonly zoomIn: () => void;
  readonly zoomOut: () => void;
}

/** The part of the diagram in sight: all of a new layout, and a table that is chosen if it is not in sight. */
export function useView(layout: Layout, chosen: TableBox | undefined): View {
  const flow = useReactFlow();
  const store = useStoreApi();
  const isReady = useStore(isReadyOf);
  const isFar = useStore(isFarOf);
  const showAll = useCallback(() => {
    const { width, height } = store.getState();
    const bounds = { x: 0, y: 0, width: layout.width, height: layout.height };
    void flow.setViewport(
      getViewportForBounds(bounds, width, height, zooms.min, zooms.whole, padding),
    );
  }, [flow, store, layout]);
  const showBox = useCallback(
    (id: string, size: { readonly width: number; readonly height: number }) => {
      const place = layout.places.get(id);
      if (!place) return;
      const { width, height, transform } = store.getState();
      const [left, top, zoom] = transform;
      const x = place.x * zoom + left;
      const y = place.y * zoom + top;
      const isInside =
        x >= 0 && y >= 0 && x + size.width * zoom <= width && y + size.height * zoom <= height;
      if (isInside && zoom >= farZoom) return;
      const center = [place.x + size.width / 2, place.y + size.height / 2] as const;
      void flow.setCenter(...center, { zoom: Math.max(zoom, zooms.box) });
    },
    [flow, store, layout],
  );
  useEffect(() => {
    if (isReady) showAll();
  }, [isReady, showAll]);
  const { id, width = 0, height = 0 } = chosen ?? {};
  useEffect(() => {
    if (isReady && id !== undefined) showBox(id, { width, height });
  }, [isReady, showBox, id, width, height]);
  return {
    isFar,
    showAll,
    zoomIn: () => void flow.zoomIn(),
    zoomOut: () => void flow.zoomOut(),
  };
}
