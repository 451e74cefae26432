import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';

import { Button } from '../../ui/button.js';
import { Code } from '../../ui/code.js';
import { CopyButton, CopyField } from '../../ui/copy.js';
import { download } from '../../ui/download.js';
import { Panel } from '../../ui/panel.js';
import { Skeleton } from '../../ui/skeleton.js';
import { useProject } from '../project/use-project.js';
import { clientStart } from './client-snippets.js';
import type { ApiDocuments } from './use-api.js';
import { keyPlaceholder, secretPlaceholder } from './snippet.js';
import { shellWord } from './words.js';

/** More letters of the types are copied and saved, and not shown. */
const maxShown = 100_000;

const outside = {
  target: '_blank',
  rel: 'noreferrer',
  className: 'text-accent underline',
} as const;

/** What every request needs, the OpenAPI document, and the generated types. */
export function StartPage({ document, types }: ApiDocuments): ReactNode {
  const { ref, url } = useProject();
  const place = { url, key: keyPlaceholder };
  return (
    <section
      aria-label="Start"
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-5"
    >
      <Panel title="Connect">
        <CopyField label="URL" text={url} />
        <Code label="Install the client" text={`npm install ${shellWord(`${url}/client.tgz`)}`} />
        <Code label="Make a client" text={clientStart(place)} />
        <p className="text-[14px] text-soft">
          Replace {keyPlaceholder} with the publishable key of the project:{' '}
          <Link
            to="/projects/$ref"
            params={{ ref }}
            search={{ dialog: 'connect' }}
            className="text-accent underline"
          >
            keys
          </Link>
          . Requests of a user also send the token of the user in the header authorization; the
          client does so after a sign-in.
        </p>
      </Panel>
      <Panel
        title="OpenAPI document"
        side={
          <Button
            disabled={document === undefined}
            onClick={() => download(`openapi-of-${ref}.json`, 'application/json', [document ?? ''])}
          >
            <Download aria-hidden className="size-4" /> Save the document
          </Button>
        }
      >
        <p className="text-[14px]">
          The document describes the tables and functions of this project. It opens as{' '}
          <a href={`${url}/api/admin/rest/docs`} {...outside}>
            a page that sends requests
          </a>{' '}
          with the secret key. The routes that every project has, such as those of accounts and
          files, are on{' '}
          <a href={`${url}/api/docs`} {...outside}>
            a page of their own
          </a>
          .
        </p>
        <Code
          label="What a key may use, as a document"
          text={`curl -s ${shellWord(`${url}/rest/v1/`)} \\\n  -H 'accept: application/openapi+json' \\\n  -H ${shellWord(`apikey: ${keyPlaceholder}`)}`}
        />
      </Panel>
      <Panel
        title="Types"
        side={
          types !== undefined && (
            <div className="flex items-center gap-1">
              <CopyButton text={types} what="the generated types">
                Copy
              </CopyButton>
              <Button onClick={() => download('database.ts', 'text/plain', [types])}>
                <Download aria-hidden className="size-4" /> Save database.ts
              </Button>
            </div>
          )
        }
      >
        <Code
          label="rowhouse gen types"
          text={`node bin/rowhouse.js gen types --url ${shellWord(url)} --key ${shellWord(secretPlaceholder)} --out database.ts`}
        />
        <Code
          label="The same without a checkout of Rowhouse"
          text={`curl -s ${shellWord(`${url}/api/admin/types`)} -H ${shellWord(`apikey: ${secretPlaceholder}`)} -o database.ts`}
        />
        {types === undefined ? <Skeleton className="w-64" /> : <ShownTypes text={types} />}
      </Panel>
    </section>
  );
}

function ShownTypes({ text }: { readonly text: string }): ReactNode {
  const isCut = text.length > maxShown;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="text-[13px] font-semibold">database.ts</p>
      <pre
        tabIndex={0}
        role="region"
        aria-label="database.ts"
        className="max-h-96 overflow-auto rounded-md border border-line bg-sunken px-3 py-2.5 font-mono text-[13px] leading-relaxed"
      >
        {isCut ? text.slice(0, maxShown) : text}
      </pre>
      {isCut && (
        <p className="text-[13px] text-soft">
          The file is longer than what is shown. Copy and Save give all of it.
        </p>
      )}
    </div>
  );
}
