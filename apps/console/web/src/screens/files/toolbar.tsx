import { FolderPlus, FolderUp, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { Button } from '../../ui/button.js';
import { SearchField } from '../../ui/search-field.js';
import { NewFolderDialog } from './new-folder-dialog.js';

interface ToolbarProps {
  readonly search: string | undefined;
  readonly onSearch: (text: string | undefined) => void;
  /** These three are absent where the operator may not upload. */
  readonly onUpload: (() => void) | undefined;
  readonly onUploadFolder: (() => void) | undefined;
  /** The name ends with a slash, and may have several folders in it. */
  readonly onNewFolder: ((name: string) => void) | undefined;
  readonly children: ReactNode;
}

/** The search in the open folder, and what adds files to it. */
export function Toolbar(props: ToolbarProps): ReactNode {
  const { search, onSearch, onUpload, onUploadFolder, onNewFolder, children } = props;
  const [isNaming, setNaming] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchField
        className="grow basis-48 sm:max-w-xs"
        label="Search in this folder"
        placeholder="Part of a name"
        value={search}
        onChange={onSearch}
      />
      <span className="ml-auto" />
      {children}
      {onNewFolder && (
        <Button onClick={() => setNaming(true)}>
          <FolderPlus aria-hidden className="size-4" />
          New folder
        </Button>
      )}
      {onUploadFolder && (
        <Button onClick={onUploadFolder}>
          <FolderUp aria-hidden className="size-4" />
          Upload a folder
        </Button>
      )}
      {onUpload && (
        <Button look="primary" onClick={onUpload}>
          <Upload aria-hidden className="size-4" />
          Upload files
        </Button>
      )}
      {isNaming && onNewFolder && (
        <NewFolderDialog onName={onNewFolder} onClose={() => setNaming(false)} />
      )}
    </div>
  );
}
