import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { answer, api } from '../../api/client.js';
import { isStudio } from '../../api/place.js';
import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { CopyField } from '../../ui/copy.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { Tabs } from '../../ui/tabs.js';
import { KeysPart } from './keys-part.js';
import type { ProjectDetails } from './project-details.js';
import { keysQuery } from './queries.js';
import { schemaQuery } from './schema.js';
import { SecretStep } from './secret-step.js';
import { type Snippet, snippetsFor, type SnippetTable, snippetTable } from './snippets.js';

interface ConnectDialogProps {
  readonly project: ProjectDetails;
  readonly onClose: () => void;
}

/** How apps and people reach the project: its address, its keys, and code to paste. */
export default function ConnectDialog({ project, onClose }: ConnectDialogProps): ReactNode {
  const { ref, name, url, capabilities } = project;
  // Keys are of the platform, which the studio does not reach.
  const mayManageSecrets = !isStudio() && capabilities.includes('secrets.manage');
  const [made, setMade] = useState<Readonly<Record<string, string>>>({});
  const { data } = useQuery({ ...keysQuery(ref), enabled: mayManageSecrets });
  const hint = data?.keys.find(({ kind }) => kind === 'publishable')?.hint ?? '';
  const key = made['publishable'] ?? `svc_publishable_…${hint}`;
  const mayRead = capabilities.includes('content.read');
  const schema = useQuery({ ...schemaQuery(ref), enabled: mayRead, refetchInterval: false });
  const table = snippetTable(schema.data?.tables);
  const hasMade = Object.keys(made).length > 0;
  const snippets = snippetsFor({ url, key, table: table.name });
  return (
    <Dialog
      title={`Connect to ${name}`}
      about="Code to paste, and the keys that it needs."
      place="wide"
      mustConfirm={hasMade}
      onClose={onClose}
    >
      <div className="grow">
        <DialogBody>
          <CopyField label="URL" text={url} />
          <Tabs
            label="Ways to connect"
            tabs={[
              ...snippets.map((snippet) => ({
                name: snippet.name,
                // No code names a table before the tables are known.
                content: schema.isLoading ? (
                  <Skeleton className="w-3/5" />
                ) : (
                  <SnippetView of={snippet} table={table} />
                ),
              })),
              {
                name: 'psql',
                content: mayManageSecrets ? <Database projectRef={ref} /> : <NoSecrets />,
              },
            ]}
          />
          {mayManageSecrets ? (
            <KeysPart
              projectRef={ref}
              made={made}
              onMade={(kind, text) => setMade({ ...made, [kind]: text })}
            />
          ) : (
            <NoSecrets />
          )}
        </DialogBody>
      </div>
      <DialogButtons>
        <Button onClick={onClose}>{hasMade ? 'I have saved the keys' : 'Done'}</Button>
      </DialogButtons>
    </Dialog>
  );
}

interface SnippetViewProps {
  readonly of: Snippet;
  readonly table: SnippetTable;
}

function SnippetView({ of: { name, before, file, code }, table }: SnippetViewProps): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {table.kind === 'missing' && (
        <>
          <Notice kind="plain">
            The project has no table yet. Make one first: the code below reads the table{' '}
            {table.name}, which this SQL makes.
          </Notice>
          <Code label="Make the table" text={table.sql} />
        </>
      )}
      {table.kind === 'unknown' && (
        <Notice kind="plain">Put the name of a table in place of {table.name}.</Notice>
      )}
      {before !== undefined && <Code label="Install the client" text={before} />}
      <Code label={file ?? name} text={code} />
    </div>
  );
}

/** The connection string has the password of the database's owner. */
function Database({ projectRef }: { readonly projectRef: string }): ReactNode {
  const [databaseUrl, setUrl] = useState<string>();
  if (databaseUrl !== undefined)
    return (
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <Code label="psql" text={`psql '${databaseUrl}'`} />
        <CopyField label="Connection string of the owner" text={databaseUrl} />
      </div>
    );
  return (
    <div className="grid justify-items-start gap-3 text-[14px]">
      <p>
        The owner of the database connects with a password. It passes every policy, and each time
        that it is shown is in the audit log.
      </p>
      <SecretStep
        action="Show the connection string"
        read={() =>
          answer(
            api.GET('/platform/projects/{ref}/database', { params: { path: { ref: projectRef } } }),
          )
        }
        onRead={(access) => setUrl(access.databaseUrl)}
      />
    </div>
  );
}

function NoSecrets(): ReactNode {
  return (
    <Notice kind="plain">
      {isStudio()
        ? 'Keys and passwords of the database are managed in the console of the deployment.'
        : 'Keys and passwords are shown to operators who may manage secrets. Ask one of them.'}
    </Notice>
  );
}
