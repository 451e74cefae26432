import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { asProblem } from '../../api/problem.js';
import { Button } from '../../ui/button.js';
import { counted } from '../../ui/counted.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { Notice } from '../../ui/notice.js';
import { ProblemNotice } from '../../ui/problem-notice.js';
import { showToast } from '../../ui/toast.js';
import type { SchemaTable } from '../project/schema.js';
import { useProject } from '../project/use-project.js';
import { type CsvFile, guessMapping, type Mapping, missingColumns, problemsOf } from './csv.js';
import { partsFor, sendRows, tryRows } from './import.js';
import { MappingTable } from './mapping-table.js';
import { readCsv } from './read-csv.js';

interface ImportDialogProps {
  readonly table: SchemaTable;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Fills a table from a CSV file: which column fills which, what would be refused, and then all rows or none. */
export default function ImportDialog({ table, onDone, onClose }: ImportDialogProps): ReactNode {
  const [file, setFile] = useState<CsvFile>();
  const [mapping, setMapping] = useState<Mapping>(new Map());
  const [isUnreadable, setUnreadable] = useState(false);
  const take = async (given: File): Promise<void> => {
    try {
      const read = await readCsv(given);
      setUnreadable(false);
      setFile(read);
      setMapping(guessMapping(read, table));
    } catch {
      setUnreadable(true);
    }
  };
  return (
    <Dialog
      title={`Import into ${table.name}`}
      about="A CSV file whose first line names its columns. Empty fields are NULL."
      place="wide"
      onClose={onClose}
    >
      {!file && (
        <>
          <DialogBody>
            {isUnreadable && <Notice kind="problem">The file has no line that can be read.</Notice>}
            <label className="grid gap-1.5 text-[13px] font-semibold">
              CSV file
              <input
                type="file"
                accept=".csv,.tsv,text/csv,text/tab-separated-values"
                className="rounded-md border border-dashed border-line-strong p-6 text-[14px] font-normal"
                onChange={({ currentTarget: { files } }) => {
                  const given = files?.[0];
                  if (given) void take(given);
                }}
              />
            </label>
          </DialogBody>
          <DialogButtons>
            <Button onClick={onClose}>Cancel</Button>
          </DialogButtons>
        </>
      )}
      {file && (
        <Preview
          file={file}
          table={table}
          mapping={mapping}
          onMap={setMapping}
          onDone={onDone}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface PreviewProps extends ImportDialogProps {
  readonly file: CsvFile;
  readonly mapping: Mapping;
  readonly onMap: (mapping: Mapping) => void;
}

function Preview({ file, table, mapping, onMap, onDone, onClose }: PreviewProps): ReactNode {
  const { ref } = useProject();
  const [done, setDone] = useState(0);
  const problems = problemsOf(file, mapping, table);
  const missing = missingColumns(mapping, table);
  const parts = partsFor(file.rows);
  const target = { ref, table, mapping };
  const work = useMutation({
    mutationFn: async () => {
      setDone(0);
      const [first = []] = parts;
      // What only the database knows: keys that exist, rows that must exist, checks.
      const trial = await tryRows(target, first);
      if (trial.kind === 'refused') return trial;
      for (const part of parts) {
        // One after the other: a part that fails keeps those behind it from being written.
        await sendRows(target, part);
        setDone((count) => count + part.length);
      }
      return trial;
    },
    onSuccess: (trial) => {
      if (trial.kind === 'refused') return;
      const count = counted(file.rows.length, 'row');
      showToast({ kind: 'done', text: `${count} imported into ${table.name}.` });
      onDone();
    },
  });
  const refused = work.data?.kind === 'refused' ? work.data : undefined;
  const isReady = mapping.size > 0 && problems.length === 0 && missing.length === 0;
  return (
    <>
      <DialogBody>
        <MappingTable file={file} table={table} mapping={mapping} onMap={onMap} />
        {missing.length > 0 && (
          <Notice kind="warning">
            {missing.join(', ')} must be filled: not null, and without a default.
          </Notice>
        )}
        {problems.length > 0 && (
          <Notice kind="warning">
            <p>
              {problems.length >= 100
                ? 'More than 100 fields cannot be values.'
                : `${counted(problems.length, 'field')} cannot be ${problems.length === 1 ? 'a value' : 'values'}.`}{' '}
              Nothing is written before the file is mended.
            </p>
            <ul aria-label="Problems by line" className="mt-1 max-h-40 overflow-y-auto">
              {problems.map(({ line, column, reason }) => (
                <li key={`${line} ${column ?? ''}`}>
                  Line {line}
                  {column === undefined ? '' : `, ${column}`}: {reason}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        {refused && (
          <ProblemNotice
            of={refused.problem}
            effect={
              refused.row === undefined
                ? 'The database refuses the rows. Nothing was written.'
                : `The database refuses line ${refused.row + 2}. Nothing was written.`
            }
          />
        )}
        {work.error && (
          <ProblemNotice
            of={asProblem(work.error)}
            effect={
              done > 0
                ? `${counted(done, 'row')} ${done === 1 ? 'was' : 'were'} written before.`
                : 'Nothing was written.'
            }
          />
        )}
        <p role="status" className="text-[14px] text-soft">
          {work.isPending
            ? `${done.toLocaleString('en')} of ${counted(file.rows.length, 'row')} written`
            : parts.length > 1
              ? `${counted(file.rows.length, 'row')} in ${counted(parts.length, 'part')}. Each part is written as a whole or not at all: if one fails, those before it stay.`
              : `${counted(file.rows.length, 'row')} in one transaction: all of the file is written or nothing.`}
        </p>
      </DialogBody>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="primary"
          disabled={!isReady || file.rows.length === 0}
          busy={work.isPending}
          onClick={() => work.mutate()}
        >
          Import
        </Button>
      </DialogButtons>
    </>
  );
}
