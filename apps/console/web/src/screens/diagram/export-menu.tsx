import { useQueryClient } from '@tanstack/react-query';
import { Code, Download, Image, Shapes } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { asProblem } from '../../api/problem.js';
import { Menu } from '../../ui/menu.js';
import { showToast } from '../../ui/toast.js';
import type { SchemaContent, SchemaTable } from '../project/schema.js';
import { useProject } from '../project/use-project.js';
import { exportPng, exportSql, exportSvg } from './export.js';
import type { Graph } from './graph.js';
import type { Layout } from './layout.js';

interface ExportMenuProps {
  readonly graph: Graph;
  /** Undefined until the diagram is laid out. */
  readonly layout: Layout | undefined;
  readonly content: SchemaContent;
}

/** The part of the schema that is shown, as a picture or as SQL. */
export function ExportMenu({ graph, layout, content }: ExportMenuProps): ReactNode {
  const { ref, name } = useProject();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const file = `diagram-of-${ref}`;
  const save = async (write: () => Promise<void> | void): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      await write();
    } catch (error) {
      showToast({ kind: 'failed', text: `Nothing was saved. ${asProblem(error).message}` });
    } finally {
      setBusy(false);
    }
  };
  const pictures = layout
    ? [
        {
          name: 'Picture (SVG)',
          icon: <Shapes aria-hidden />,
          run: () => void save(() => exportSvg(file, graph, layout)),
        },
        {
          name: 'Picture (PNG)',
          icon: <Image aria-hidden />,
          run: () => void save(() => exportPng(file, graph, layout)),
        },
      ]
    : [];
  const tables = graph.boxes.flatMap(({ table }): SchemaTable[] => (table ? [table] : []));
  return (
    <Menu
      label="Save the diagram"
      icon={<Download aria-hidden className={`size-4.5 ${isBusy ? 'opacity-40' : ''}`} />}
      entries={[
        ...pictures,
        {
          name: 'SQL (create table …)',
          icon: <Code aria-hidden />,
          run: () =>
            void save(() =>
              exportSql(`tables-of-${ref}`, {
                ref,
                queryClient,
                project: name,
                tables,
                enums: content.enums,
              }),
            ),
        },
      ]}
    />
  );
}
