import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Fact } from '../../ui/fact.js';
import { Code } from '../../ui/code.js';
import { CopyButton } from '../../ui/copy.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { exactTime } from '../../ui/time-in-words.js';
import { useMay, useProject } from '../project/use-project.js';
import { isSlow, type RecentRequest } from './recent.js';
import { commandOf } from './request-curl.js';
import { colorOf } from './request-list.js';
import { callerNames, lengthInWords, routeInWords } from './words.js';

interface RequestDrawerProps {
  /** Undefined: the process that answers has none. */
  readonly request: RecentRequest | undefined;
  readonly onClose: () => void;
}

/** All that is known of a request. */
export default function RequestDrawer({ request, onClose }: RequestDrawerProps): ReactNode {
  return (
    <Dialog
      title={request ? `${request.method} ${routeInWords(request.route)}` : 'Request'}
      about={request ? exactTime(request.at) : undefined}
      place="drawer"
      onClose={onClose}
    >
      <DialogBody>
        {request ? (
          <Details of={request} />
        ) : (
          <Notice kind="plain">
            This request is not among those that are kept. The server keeps the last 1,000 since its
            start, and each process its own.
          </Notice>
        )}
      </DialogBody>
    </Dialog>
  );
}

function Details({ of: request }: { readonly of: RecentRequest }): ReactNode {
  const { status, code, requestId, credential, userId, ms, databaseMs } = request;
  const project = useProject();
  const maySeeUsers = useMay('secrets.manage');
  const command = commandOf(request, project);
  return (
    <>
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-2 text-[14px]">
        <Fact name="Status">
          <span className={`font-medium tabular-nums ${colorOf(status)}`}>{status}</span>
          {status === 499 && 'the client disconnected before the answer'}
        </Fact>
        {code !== null && (
          <Fact name="Code">
            <code className="text-[13px] break-all">{code}</code>
          </Fact>
        )}
        <Fact name="Request">
          <code className="text-[13px] break-all">{requestId}</code>
          <CopyButton text={requestId} what="the id of the request" />
        </Fact>
        <Fact name="Caller">{callerNames[credential]}</Fact>
        {userId !== null && (
          <Fact name="User">
            {maySeeUsers ? (
              <Link
                to="/projects/$ref/users"
                params={{ ref: project.ref }}
                search={{ open: userId }}
                className="font-mono text-[13px] break-all text-accent underline underline-offset-2"
              >
                {userId}
              </Link>
            ) : (
              <code className="text-[13px] break-all">{userId}</code>
            )}
          </Fact>
        )}
        <Fact name="Took">
          <span className={isSlow(request) ? 'font-medium text-warn' : ''}>
            {lengthInWords(ms)}
          </span>
        </Fact>
        <Fact name="Database">
          {databaseMs === null
            ? 'not measured: only statements for tables, functions and files are, if they succeed'
            : lengthInWords(databaseMs)}
        </Fact>
      </dl>
      {command === undefined ? (
        <p className="text-[14px] text-soft">
          The path matched no route. Such paths are not kept, so there is no command for it.
        </p>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <Code label="As curl" text={command} />
          <p className="text-[13px] text-soft">
            The server keeps the pattern of the path and no value: put yours in place of the words
            with a colon, the variables and the body.
          </p>
        </div>
      )}
    </>
  );
}
