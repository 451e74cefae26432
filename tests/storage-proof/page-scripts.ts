// What pages do with the address of a file, as text for the browser.

/** Shows the file in everything that shows files. */
export function showEverywhere(src: string): string {
  return `for (const [tag, attribute] of [['iframe', 'src'], ['object', 'data'], ['embed', 'src'], ['img', 'src']]) {
    const element = document.createElement(tag);
    element.setAttribute(attribute, ${JSON.stringify(src)});
    document.body.append(element);
  }`;
}

/** Takes the file for a classic script, a module and a worker; gives `load` or `error` for each. */
export function loadAsScript(src: string): string {
  return `(() => {
    const src = ${JSON.stringify(src)};
    const loaded = (type) => new Promise((resolve) => {
      const script = document.createElement('script');
      Object.assign(script, { src, type, onload: () => resolve('load'), onerror: () => resolve('error') });
      document.head.append(script);
    });
    const worked = new Promise((resolve) => {
      const worker = new Worker(src);
      worker.onerror = (event) => { event.preventDefault(); resolve('error'); };
      setTimeout(() => resolve('load'), 1000);
    });
    return Promise.all([loaded('text/javascript'), loaded('module'), worked]);
  })()`;
}
