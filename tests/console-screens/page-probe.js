// Runs in a page of the console before the scripts of the page, and measures what a person waits for and sees.
// `window.probe` is what figures.ts and pictures.ts call.
(() => {
  /** Without requests and layout shifts for this long, a screen has settled. */
  const settledMs = 400;
  const shifts = [];

  performance.setResourceTimingBufferSize(10_000);
  new PerformanceObserver((list) => {
    for (const { startTime, value, sources } of list.getEntries()) {
      shifts.push({ at: startTime, value, of: sources.map(({ node }) => nameOf(node)) });
    }
  }).observe({ type: 'layout-shift', buffered: true });

  function nameOf(node) {
    const element = node instanceof Element ? node : node?.parentElement;
    const text = element?.textContent.trim().slice(0, 30) ?? '';
    return element ? `${element.tagName.toLowerCase()} "${text}"` : 'a removed element';
  }

  /** Whether a text is on the page, and nothing on it is still waited for. */
  function isReady(text) {
    if (!document.body) return false;
    const waiting = document.querySelectorAll('[aria-busy=true], .skeleton');
    if ([...waiting].some((element) => element.checkVisibility())) return false;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (data.includes(text) && parentElement?.checkVisibility()) return true;
    }
    return false;
  }

  /** Resolves after the next frame is painted. */
  function painted() {
    return new Promise((resolve) => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(undefined);
      });
    });
  }

  /** Resolves to the time at which the page with this text is painted; milliseconds since its navigation. */
  function ready(text) {
    return new Promise((resolve) => {
      const check = () => {
        if (!isReady(text)) return;
        observer.disconnect();
        resolve(painted());
      };
      const observer = new MutationObserver(check);
      const everything = { subtree: true, childList: true, characterData: true, attributes: true };
      observer.observe(document, everything);
      check();
    });
  }

  const requestsOf = () => performance.getEntriesByType('resource');

  async function settled() {
    for (let before = ''; ;) {
      const now = `${requestsOf().length} ${shifts.length}`;
      if (now === before) return;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, settledMs));
    }
  }

  /** The icon of the tab, which browsers load again for each address, and for which nothing waits. */
  const isIcon = ({ name }) => document.querySelector('link[rel=icon]')?.href === name;
  const isScript = ({ name }) => new URL(name).pathname.endsWith('.js');

  /** The longest list of requests of which each began after the one before had ended. */
  function chainOf(requests) {
    const ends = [];
    for (const { name, startTime, responseEnd } of requests.toSorted(
      (one, other) => one.startTime - other.startTime,
    )) {
      const before = longest(ends.filter(({ at }) => at <= startTime));
      ends.push({ at: responseEnd, chain: [...before, new URL(name).pathname] });
    }
    return longest(ends);
  }

  function longest(ends) {
    return ends.reduce((found, { chain }) => (chain.length > found.length ? chain : found), []);
  }

  /** What has happened since `from`, until the screen could be used at `at`. */
  function figures(from, at) {
    const requests = requestsOf().filter(
      (request) => request.startTime >= from && request.startTime <= at && !isIcon(request),
    );
    const since = shifts.filter((shift) => shift.at >= from);
    return {
      ms: at - from,
      chain: chainOf(requests),
      scriptBytes: requests
        .filter(isScript)
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      shift: since.reduce((sum, { value }) => sum + value, 0),
      shifted: [...new Set(since.flatMap((shift) => shift.of))],
    };
  }

  function find({ selector, name }) {
    const found = [...document.querySelectorAll(selector)].find(
      (element) =>
        element.textContent.trim() === name || element.getAttribute('aria-label') === name,
    );
    if (!found) throw new Error(`there is no ${selector} with the name ${name}`);
    return found;
  }

  /** Clicks, and measures until the page has the text. The pointer is not moved: nothing is loaded in advance. */
  async function click(target, text) {
    if (isReady(text)) throw new Error(`"${text}" is on the page before the click`);
    const element = find(target);
    const from = performance.now();
    element.click();
    const at = await ready(text);
    await settled();
    return figures(from, at);
  }

  /** Measures from the beginning of the navigation. */
  async function load(text) {
    const at = await ready(text);
    await settled();
    return figures(0, at);
  }

  /** Scrolls the grid by `step` pixels in each frame. Resolves to the times of the frames, in milliseconds. */
  function scroll(step, frames) {
    const grid = document.querySelector('[role=grid]');
    const times = [];
    return new Promise((resolve) => {
      let last;
      const next = (now) => {
        if (last !== undefined) times.push(now - last);
        last = now;
        grid.scrollTop += step;
        const isAtEnd = grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1;
        if (isAtEnd || times.length >= frames) resolve(times);
        else requestAnimationFrame(next);
      };
      requestAnimationFrame(next);
    });
  }

  window.probe = { ready, settled, click, load, scroll };
})();
