// The program of the process that keeps the Swift of a whole run: prints its port, and stops it when the parent
// ends in whatever way, for then its end of our standard input closes.
import { openSwift } from './swift.js';

// Ctrl-C reaches every process of the terminal; what Swift has left must still be removed.
process.on('SIGINT', () => undefined);

const swift = await openSwift();
process.stdout.write(`${swift.port}\n`);
await new Promise((resolve) => process.stdin.resume().once('end', resolve).once('error', resolve));
await swift.close();
