// What a person does at an identity provider, by plain HTTP: follow redirects with cookies, fill in forms.

const maxSteps = 12;

/**
 * Goes to `url`, answers every form on the way with `fields`, and returns the first address outside the
 * origin of `url` that it is sent to, without going there. Throws when it is sent nowhere.
 */
export async function walkThroughForms(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const { origin } = new URL(url);
  const jar = new Map<string, string>();
  let next: { readonly url: string; readonly form?: URLSearchParams } = { url };
  for (let step = 0; step < maxSteps; step += 1) {
    // Each step begins where the one before ended.
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form && { method: 'POST', body: next.form }),
    });
    keepCookies(jar, response.headers.getSetCookie());
    const page = await response.text();
    const location = response.headers.get('location');
    if (location !== null) {
      next = { url: new URL(location, next.url).href };
      if (new URL(next.url).origin !== origin) return next.url;
    } else {
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
      if (response.status !== 200 || action === undefined)
        throw new Error(`sign-in ended with ${response.status} at ${next.url}: ${page}`);
      next = { url: new URL(action, next.url).href, form: new URLSearchParams(fields) };
    }
  }
  throw new Error(`sign-in was sent around ${maxSteps} times, last to ${next.url}`);
}

function keepCookies(jar: Map<string, string>, lines: readonly string[]): void {
  for (const line of lines) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (name === undefined || value === undefined) continue;
    if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
}
