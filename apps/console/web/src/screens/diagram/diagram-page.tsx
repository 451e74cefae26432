import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';

import { curlOf } from '../../api/curl.js';
import { projectPath } from '../../api/place.js';
import { useTitle } from '../../shell/card.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { counted } from '../../ui/counted.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Tabs } from '../../ui/tabs.js';
import { type SchemaContent, schemaQuery } from '../project/schema.js';
import { useMay, useProject } from '../project/use-project.js';
import { Canvas } from './canvas.js';
import { ExportMenu } from './export-menu.js';
import { boxesWith, type Graph, graphOf, type TableBox } from './graph.js';
import { RelationsList } from './relations-list.js';
import { type DiagramSearch, readDiagramSearch } from './search.js';
import { TablePanel } from './table-panel.js';
import { Toolbar } from './toolbar.js';
import { useLayout } from './use-layout.js';

/** The tables of a project with their relations, as a picture and as a list. */
export function DiagramPage(): ReactNode {
  const { ref, name } = useProject();
  useTitle(`Diagram of ${name}`);
  const { schema = 'public' } = useDiagramSearch();
  const mayRead = useMay('content.read');
  const { data, error, refetch } = useQuery({ ...schemaQuery(ref, schema), enabled: mayRead });
  if (!mayRead)
    return <Notice kind="plain">The diagram is for operators with content.read.</Notice>;
  if (!data)
    return error ? <ProblemNotice of={error} onRetry={() => void refetch()} /> : <Waiting />;
  return data.tables.length === 0 ? <NoTables /> : <Diagram content={data} />;
}

const useDiagramSearch = (): DiagramSearch =>
  readDiagramSearch(useSearch({ from: '/signed-in/projects/$ref/diagram' }));

function Diagram({ content }: { readonly content: SchemaContent }): ReactNode {
  const { ref } = useProject();
  const search = useDiagramSearch();
  const navigate = useNavigate({ from: '/projects/$ref/diagram' });
  const go = (next: DiagramSearch): void =>
    void navigate({
      search: (before) => ({ ...before, ...next }),
      replace: true,
      resetScroll: false,
    });
  const { around, only, columns, q, table: chosenName, view } = search;
  const { tables } = content;
  const wanted = useMemo(
    () => graphOf(tables, { around, only, columns }),
    [tables, around, only, columns],
  );
  const { graph, layout, isFailed } = useLayout(wanted);
  const found = useMemo(() => (q === undefined ? undefined : boxesWith(graph, q)), [graph, q]);
  const foundIds = useMemo(() => found && new Set(found.map(({ id }) => id)), [found]);
  const chosen = graph.boxes.find(({ name }) => name === chosenName);
  const choose = (box: TableBox | undefined): void => go({ table: box?.name });
  const next = (text: string | undefined): void => {
    const among = text === undefined ? [] : boxesWith(graph, text);
    const at = among.findIndex(({ id }) => id === chosen?.id);
    const box = among[(at + 1) % among.length];
    go({ q: text, ...(box && { table: box.name }) });
  };
  const partitions = tables.filter(({ partitionOf }) => partitionOf !== null).length;
  const picture = (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:has-[section]:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="h-[max(24rem,calc(100vh-21rem))]">
        {isFailed && (
          <Notice kind="problem">
            The diagram could not be laid out. Load the page again, or use the tab Relations.
          </Notice>
        )}
        {layout && graph.boxes.length === 0 && <NothingFits onAll={() => go(everything)} />}
        {layout && graph.boxes.length > 0 && (
          <Canvas
            graph={graph}
            layout={layout}
            chosen={chosen}
            found={foundIds}
            onChoose={choose}
          />
        )}
        {!layout && !isFailed && <WaitingCanvas />}
      </div>
      {chosen && (
        <TablePanel
          box={chosen}
          graph={graph}
          isCenter={around === chosen.name}
          onChoose={(id) => choose(graph.boxes.find((box) => box.id === id))}
          onAround={(name) => go({ around: name, only: undefined })}
          onClose={() => choose(undefined)}
        />
      )}
    </div>
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <header className="flex flex-wrap items-center gap-3">
        <div className="mr-auto">
          <h1 className="text-[22px] leading-tight font-semibold">Diagram</h1>
          <p className="text-[13px] text-soft">{factsOf(graph, partitions)}</p>
        </div>
        <CopyButton
          text={curlOf({ path: projectPath(ref, '/api/admin/schema') })}
          what="as curl: the schema"
        >
          Copy as curl
        </CopyButton>
        <ExportMenu graph={graph} layout={layout} content={content} />
      </header>
      <Toolbar
        search={search}
        names={tables.filter(({ partitionOf }) => partitionOf === null).map(({ name }) => name)}
        found={found}
        onSearch={go}
        onNext={next}
      />
      <p role="status" className="sr-only">
        {chosen && saidOf(chosen)}
      </p>
      <Tabs
        label="Ways to see the relations"
        open={view === 'list' ? 'Relations' : 'Picture'}
        onOpen={(name) => go({ view: name === 'Relations' ? 'list' : undefined })}
        tabs={[
          { name: 'Picture', content: picture },
          { name: 'Relations', content: <RelationsList graph={graph} found={foundIds} /> },
        ]}
      />
    </div>
  );
}

const everything: DiagramSearch = { around: undefined, only: undefined };

function NothingFits({ onAll }: { readonly onAll: () => void }): ReactNode {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-3 rounded-lg border border-dashed border-line-strong px-6 text-center">
      <p className="text-[14px] text-soft">
        No table is in this part of the schema. A foreign key makes a relation.
      </p>
      <Button onClick={onAll}>Show all tables</Button>
    </div>
  );
}

function factsOf({ boxes, relations }: Graph, partitions: number): string {
  const left = partitions === 0 ? [] : [`${counted(partitions, 'partition')} left out`];
  const facts = [counted(boxes.length, 'table'), counted(relations.length, 'relation'), ...left];
  return facts.join(' · ');
}

const saidOf = ({ name, table }: TableBox): string =>
  table ? `${name}, ${counted(table.columns.length, 'column')}` : name;

function NoTables(): ReactNode {
  const { ref } = useProject();
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-dashed border-line-strong px-6 py-14 text-center">
      <h1 className="text-[17px] font-semibold">No table yet</h1>
      <p className="max-w-md text-[14px] text-soft">
        The diagram shows tables with their columns, and foreign keys as lines between them. Make a
        table first.
      </p>
      <Link
        to="/projects/$ref/structure"
        params={{ ref }}
        className="inline-flex h-9 items-center rounded-md bg-accent px-3.5 font-medium text-on-accent shadow-lift hover:bg-accent-hover"
      >
        Make a table
      </Link>
    </div>
  );
}

function Waiting(): ReactNode {
  return (
    <div role="group" aria-busy aria-label="Loading" className="grid gap-4">
      <div className="h-12 w-40 rounded-md border border-line bg-surface" />
      <div className="h-96 rounded-lg border border-line bg-surface" />
    </div>
  );
}

function WaitingCanvas(): ReactNode {
  return (
    <div
      role="group"
      aria-busy
      aria-label="The diagram is laid out"
      className="grid h-full place-content-center rounded-lg border border-line bg-sunken text-[14px] text-soft"
    >
      Laying the tables out…
    </div>
  );
}
