import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { Fact } from '../../ui/fact.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy.js';
import { Dialog, DialogBody } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { Skeleton } from '../../ui/skeleton.js';
import { exactTime } from '../../ui/time-in-words.js';
import type { Organization } from '../projects/queries.js';
import { ChangeTable } from './change-table.js';
import { changesOf, withoutSecrets } from './changes.js';
import { outcomeInWords, requestInWords, valuesOf } from './forwarded-requests.js';
import { type Entry, entryQuery, type Log } from './queries.js';
import { type AuditSearch, noFilters } from './search.js';

interface EntryDrawerProps {
  readonly log: Log;
  readonly id: string;
  /** The entry, if it is one of those in the list. */
  readonly known: Entry | undefined;
  readonly organizations: readonly Organization[];
  readonly onSearch: (change: AuditSearch) => void;
  readonly onClose: () => void;
}

/** An entry with all that it says. */
export default function EntryDrawer(props: EntryDrawerProps): ReactNode {
  const { log, id, known, onClose } = props;
  const { data, error } = useQuery({ ...entryQuery(log, id), enabled: known === undefined });
  const entry = known ?? data ?? undefined;
  return (
    <Dialog
      title={entry ? (requestInWords(entry) ?? entry.action) : 'Entry'}
      about={entry ? exactTime(entry.at) : `Entry ${id}`}
      place="drawer"
      onClose={onClose}
    >
      <DialogBody>
        {!entry && <ProblemNotice of={error} />}
        {!entry && data === undefined && !error && <Skeleton className="w-64" />}
        {!entry && data === null && (
          <Notice kind="plain">This log has no entry with the id {id}.</Notice>
        )}
        {entry && <EntryView {...props} entry={entry} />}
      </DialogBody>
    </Dialog>
  );
}

function EntryView({
  log,
  entry,
  organizations,
  onSearch,
}: EntryDrawerProps & { readonly entry: Entry }): ReactNode {
  const { id, actor, action, target, ref, organizationId, ip, requestId, before, after } = entry;
  const values = valuesOf(entry);
  const changes = changesOf(values.before, values.after);
  const outcome = outcomeInWords(entry);
  const only = (filter: AuditSearch) => () =>
    onSearch({ ...noFilters, ...filter, open: undefined });
  const organization = organizations.find((each) => each.id === organizationId)?.name;
  const isOfOne = log.kind === 'project' || log.kind === 'inside';
  return (
    <>
      <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-2 text-[14px]">
        <Fact name="Who">
          {actor.name}
          {actor.id !== null && (
            <Only what={`entries of ${actor.name}`} onClick={only({ operator: actor.id })} />
          )}
        </Fact>
        <Fact name="Action">
          <code className="text-[13px]">{action}</code>
          <Only what={`entries with ${action}`} onClick={only({ action })} />
        </Fact>
        <Fact name="Target">
          <code className="text-[13px] break-all">{target}</code>
          <Only what={`entries about ${target}`} onClick={only({ target })} />
        </Fact>
        {outcome !== undefined && <Fact name="Outcome">{outcome}</Fact>}
        {ref !== null && !isOfOne && (
          <Fact name="Project">
            <Link
              to="/projects/$ref"
              params={{ ref }}
              className="inline-block py-1 font-mono text-[13px] text-accent underline underline-offset-2"
            >
              {ref}
            </Link>
            <Only what={`entries on the project ${ref}`} onClick={only({ project: ref })} />
          </Fact>
        )}
        {organizationId !== null && !isOfOne && (
          <Fact name="Organization">{organization ?? organizationId}</Fact>
        )}
        <Fact name="Address">{ip ?? 'none: the platform has acted by itself'}</Fact>
        {requestId !== null && (
          <Fact name="Request">
            <code className="text-[13px] break-all">{requestId}</code>
            <CopyButton text={requestId} what="the id of the request" />
          </Fact>
        )}
        <Fact name="Entry">{id}</Fact>
      </dl>
      <section aria-label="Changes" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {changes.length > 0 ? (
          <ChangeTable changes={changes} />
        ) : (
          <p className="text-[14px] text-soft">The entry says no values.</p>
        )}
        {changes.length > 0 && (
          <details className="text-[13px]">
            <summary className="w-fit cursor-pointer rounded-sm text-soft">As JSON</summary>
            <pre
              tabIndex={0}
              role="region"
              aria-label="The entry as JSON"
              className="mt-2 max-h-80 overflow-auto rounded-md bg-sunken px-3 py-2 font-mono text-[12px] break-words whitespace-pre-wrap"
            >
              {JSON.stringify(withoutSecrets({ before, after }), null, 2)}
            </pre>
          </details>
        )}
      </section>
    </>
  );
}

function Only({
  what,
  onClick,
}: {
  readonly what: string;
  readonly onClick: () => void;
}): ReactNode {
  return (
    <Button look="quiet" size="small" aria-label={`Show only these: ${what}`} onClick={onClick}>
      Show only these
    </Button>
  );
}
