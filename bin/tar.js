// Writes gzipped tar archives (POSIX ustar). The same files always give the same bytes: no times, no owners.
import { gzipSync } from 'node:zlib';

const blockBytes = 512;

/** An archive of `files`, each with its `name` (at most 100 bytes) and `content` (a Buffer). */
export function tarGz(files) {
  const blocks = files.flatMap(({ name, content }) => [
    header(name, content.length),
    content,
    Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes),
  ]);
  // Two empty blocks end an archive.
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]), { level: 9 });
}

function header(name, size) {
  if (Buffer.byteLength(name) > 100) throw new Error(`the path ${name} is too long for an archive`);
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0);
  block.write('0000644\0', 100); // mode
  block.write('0000000\0', 108); // owner
  block.write('0000000\0', 116); // group
  block.write(`${octal(size, 11)}\0`, 124);
  block.write(`${octal(mtime, 11)}\0`, 136);
  block.write(' '.repeat(8), 148); // The checksum counts its own field as spaces.
  block.write('0', 156); // an ordinary file
  block.write('ustar\0' + '00', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${octal(sum, 6)}\0 `, 148);
  return block;
}

/** 26 October 1985, as npm writes it: some programs refuse files of 1970. */
const mtime = 499_162_500;

function octal(value, digits) {
  return value.toString(8).padStart(digits, '0');
}
