import { lazy, type ReactNode, Suspense, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { NoMatch, NoRequests } from './empty.js';
import { addressOf, filterRequests, type RecentRequest } from './recent.js';
import { RequestList } from './request-list.js';
import { type ChangeSearch, hasFilters, noFilters, type RequestsSearch } from './search.js';
import { useHeld } from './use-held.js';

const RequestDrawer = lazy(() => import('./request-drawer.js'));

interface RequestsViewProps {
  readonly latest: readonly RecentRequest[];
  readonly search: RequestsSearch;
  readonly onSearch: ChangeSearch;
}

/** A list of requests. It does not change while it is read: under a pointer, scrolled, with the focus or an open request. */
export function RequestsView({ latest, search, onSearch }: RequestsViewProps): ReactNode {
  const [isInUse, setInUse] = useState(false);
  const isOpen = search.open !== undefined;
  const { shown, missed, renew } = useHeld(latest, isInUse || isOpen);
  // The list is drawn again from its beginning.
  const [start, setStart] = useState(0);
  const requests = filterRequests(shown, search);
  const fresh = filterRequests(missed, search).length;
  const showNewest = (): void => {
    renew();
    setStart(start + 1);
  };
  return (
    <>
      <div className="flex h-9 items-center gap-3 text-[14px] text-soft">
        <p role="status" className="mr-auto">
          {counted(requests.length, 'request')}
          {requests.length !== shown.length && ` of ${shown.length.toLocaleString('en')}`}
        </p>
        {fresh > 0 && (
          <Button size="small" onClick={showNewest}>
            Show {fresh.toLocaleString('en')} new
          </Button>
        )}
      </div>
      {requests.length > 0 ? (
        <RequestList
          key={start}
          requests={requests}
          onOpen={(request) => onSearch({ open: addressOf(request) })}
          onUse={setInUse}
        />
      ) : hasFilters(search) ? (
        <NoMatch onClear={() => onSearch(noFilters)} />
      ) : (
        <NoRequests list={search.list} />
      )}
      {search.open !== undefined && (
        <Suspense>
          <RequestDrawer
            request={shown.find((request) => addressOf(request) === search.open)}
            onClose={() => onSearch({ open: undefined })}
          />
        </Suspense>
      )}
    </>
  );
}
