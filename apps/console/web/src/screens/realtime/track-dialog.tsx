import { type FormEvent, type ReactNode, useState } from 'react';

import { parseObject } from '../../api/json.js';
import { Button } from '../../ui/button.js';
import { Dialog, DialogBody, DialogButtons } from '../../ui/dialog.js';
import { JsonArea } from './json-area.js';

interface TrackDialogProps {
  readonly onTrack: (payload: Record<string, unknown>) => void;
  readonly onClose: () => void;
}

/** What the others see of a listener that is present. */
export function TrackDialog({ onTrack, onClose }: TrackDialogProps): ReactNode {
  const [text, setText] = useState('{ "name": "Console" }');
  const payload = parseObject(text);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (payload) onTrack(payload);
  };
  return (
    <Dialog
      title="Be present"
      about="Everybody who has joined the topic sees it until you are absent or leave."
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <DialogBody>
          <JsonArea
            label="Payload"
            value={text}
            problem={payload ? undefined : 'This is no JSON object.'}
            hint="A JSON object, as the app tracks it."
            onChange={setText}
          />
        </DialogBody>
        <DialogButtons>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={!payload}>
            Be present
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
