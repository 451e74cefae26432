import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { download } from '../../ui/download.js';
import { Tick } from '../../ui/field.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { useProject } from '../project/use-project.js';
import { exportRows } from './export.js';
import type { Format } from './export-content.js';
import type { RowsQuery } from './filters.js';
import type { Viewer } from './requests.js';

interface ExportDialogProps {
  readonly table: string;
  readonly query: RowsQuery;
  readonly viewer: Viewer;
  readonly total: number | undefined;
  readonly onClose: () => void;
}

/** A file of the rows that the filters leave, with the columns that are shown. */
export default function ExportDialog(props: ExportDialogProps): ReactNode {
  const { table, query, viewer, total, onClose } = props;
  const { ref } = useProject();
  const [count, setCount] = useState(0);
  const [isForSpreadsheet, setForSpreadsheet] = useState(true);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const work = useMutation({
    mutationFn: async (format: Format) => {
      stop.current = new AbortController();
      const { signal } = stop.current;
      const parts = await exportRows({
        ref,
        table,
        query,
        viewer,
        format,
        signal,
        onProgress: setCount,
      });
      if (format === 'json') download(`${table}.json`, 'application/json', parts);
      else download(`${table}.csv`, 'text/csv', parts);
    },
  });
  const filters = query.filters.length > 0 ? 'the filtered rows' : 'all rows';
  return (
    <Dialog
      title={`Export ${table}`}
      about={`A file of ${filters}, in the order shown, with the columns shown.`}
      onClose={onClose}
    >
      <DialogBody>
        {work.error !== null && !stop.current.signal.aborted && <ProblemNotice of={work.error} />}
        <p role="status" className="text-[14px] text-soft">
          {work.isPending || work.isSuccess
            ? `${counted(count, 'row')} ${work.isSuccess ? 'exported' : `of ${total?.toLocaleString('en') ?? '…'}`}`
            : 'CSV has the text of every value; JSON keeps numbers, arrays and objects.'}
        </p>
        <Tick
          label="CSV for a spreadsheet"
          hint="An apostrophe begins values that a spreadsheet would calculate, such as =1+1. Without it the values are as they are, for programs and imports."
          checked={isForSpreadsheet}
          disabled={work.isPending}
          onChange={({ target }) => setForSpreadsheet(target.checked)}
        />
      </DialogBody>
      <DialogButtons>
        <Button onClick={onClose}>{work.isSuccess ? 'Done' : 'Cancel'}</Button>
        <Button busy={work.isPending} onClick={() => work.mutate('json')}>
          JSON
        </Button>
        <Button
          look="primary"
          busy={work.isPending}
          onClick={() => work.mutate(isForSpreadsheet ? 'spreadsheet' : 'csv')}
        >
          CSV
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
