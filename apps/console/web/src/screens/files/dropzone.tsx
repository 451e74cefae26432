import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useRef, useState } from 'react';

import { useOperator } from '../../session/operator.js';
import { showProblem } from '../../ui/toast.js';
import { useProject } from '../project/use-project.js';
import { chosenFiles, droppedFiles } from './picked.js';
import { addUploads, type PickedFile } from './uploads.js';

/** Uploads files into a folder, in the name of the operator who is signed in. */
function useUpload(bucket: string, folder: string): (files: readonly PickedFile[]) => void {
  const { ref } = useProject();
  const { data: session } = useOperator();
  return (files) => addUploads({ ref, owner: session?.operator.id ?? '', bucket, folder }, files);
}

interface Chooser {
  readonly chooseFiles: () => void;
  readonly chooseFolder: () => void;
  /** Must be in the page. */
  readonly inputs: ReactNode;
}

/** Opens the browser's dialogs for files and for folders. */
export function useChooser(bucket: string, folder: string): Chooser {
  const upload = useUpload(bucket, folder);
  const files = useRef<HTMLInputElement>(null);
  const folders = useRef<HTMLInputElement>(null);
  const take = (input: HTMLInputElement): void => {
    upload(chosenFiles(input.files));
    // The same files can be chosen again.
    input.value = '';
  };
  return {
    chooseFiles: () => files.current?.click(),
    chooseFolder: () => folders.current?.click(),
    inputs: (
      <>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          data-chooses="files"
          onChange={({ currentTarget }) => take(currentTarget)}
        />
        <input
          ref={(input) => {
            folders.current = input;
            if (input) input.webkitdirectory = true;
          }}
          type="file"
          hidden
          data-chooses="folder"
          onChange={({ currentTarget }) => take(currentTarget)}
        />
      </>
    ),
  };
}

interface DropzoneProps {
  readonly bucket: string;
  readonly folder: string;
  /** Whether the operator may upload here. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

/** A place where files and folders can be dropped. */
export function Dropzone({ bucket, folder, isOpen, children }: DropzoneProps): ReactNode {
  const upload = useUpload(bucket, folder);
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent): boolean =>
    isOpen && dataTransfer.types.includes('Files');
  const drop = async (event: DragEvent): Promise<void> => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    setOver(false);
    upload(await droppedFiles(event.dataTransfer));
  };
  return (
    <div
      data-dropzone
      className="relative grid grid-cols-[minmax(0,1fr)] gap-3"
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        const isWithin = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isWithin) setOver(false);
      }}
      onDrop={(event) => void drop(event).catch(showProblem)}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute -inset-2 z-10 flex items-start justify-center rounded-lg border-2 border-dashed border-accent bg-accent-soft/80 pt-16">
          <p className="flex items-center gap-2 rounded-md bg-surface px-4 py-2 font-medium text-accent shadow-float">
            <Upload aria-hidden className="size-4" />
            Drop to upload into {folder === '' ? bucket : folder}
          </p>
        </div>
      )}
    </div>
  );
}
