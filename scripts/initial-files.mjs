// The JavaScript that the document of the console needs until the list of projects is shown: the files that it names,
// the screen of the projects, and all that these import.

/** Names of files below `assets/`. `read` returns the text of one. */
export async function initialFiles(page, names, read) {
  const named = [...page.matchAll(/\.\/assets\/([^"]+\.js)"/g)].map(([, name]) => name);
  const screen = names.filter((name) => /^projects-page-.*\.js$/.test(name));
  const found = new Set();
  const waiting = [...named, ...screen];
  while (waiting.length > 0) {
    const name = waiting.pop();
    if (found.has(name)) continue;
    found.add(name);
    // Static imports alone: `import("./x.js")` is loaded when it is needed.
    const imports = (await read(name)).matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g);
    waiting.push(...[...imports].map(([, imported]) => imported));
  }
  return [...found].toSorted();
}
