// Places the boxes of a diagram beside the page, which stays usable: hundreds of tables take seconds.
import { layOut, type LayoutInput } from './layout.js';

self.addEventListener('message', ({ data }: MessageEvent<LayoutInput>) => {
  self.postMessage(layOut(data));
});
