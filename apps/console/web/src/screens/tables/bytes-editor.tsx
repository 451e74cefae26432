import { Download, Upload } from 'lucide-react';
import { type ReactNode, useRef } from 'react';

import { Button } from '../../ui/button.js';
import { bytesInWords } from '../../ui/bytes.js';
import { download } from '../../ui/download.js';
import { showToast } from '../../ui/toast.js';
import { bytesOfHex, hexOfBytes } from './bytes.js';
import { PlainEditor, type ValueEditorProps } from './plain-editor.js';

/** As hex a file takes twice its room, and a request has 1 MB. */
const maxBytes = 400 * 1024;

/** Bytes in hex; a file takes their place, or is made of them. */
export function BytesEditor(props: ValueEditorProps): ReactNode {
  const { column, text, isReadOnly, onChange } = props;
  const input = useRef<HTMLInputElement>(null);
  const bytes = bytesOfHex(text);
  const read = async (file: File): Promise<void> => {
    if (file.size > maxBytes) {
      const limit = bytesInWords(maxBytes);
      showToast({ kind: 'failed', text: `The file is larger than ${limit}. Keep it in a bucket.` });
      return;
    }
    onChange(hexOfBytes(new Uint8Array(await file.arrayBuffer())));
  };
  return (
    <div className="grid gap-3">
      <PlainEditor {...props} rows={6} label="Hex" />
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto text-[13px] text-soft">{bytes && bytesInWords(bytes.length)}</p>
        {!isReadOnly && (
          <Button onClick={() => input.current?.click()}>
            <Upload aria-hidden className="size-4" />
            Upload a file
          </Button>
        )}
        <Button
          disabled={!bytes}
          onClick={() => bytes && download(column.name, 'application/octet-stream', [bytes])}
        >
          <Download aria-hidden className="size-4" />
          Download
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        aria-label="File"
        className="hidden"
        onChange={({ currentTarget: { files } }) => {
          const file = files?.[0];
          if (file) void read(file);
        }}
      />
    </div>
  );
}
