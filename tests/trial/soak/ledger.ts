// What the deployment has acknowledged in a soak, and so must have at its end.
export interface StoredFile {
  readonly path: string;
  readonly sha256: string;
}

export interface Session {
  readonly token: string;
  readonly userId: string;
}

/** Of one project. */
export class Ledger {
  readonly rows = new Set<string>();
  readonly files: StoredFile[] = [];
  readonly sessions: Session[] = [];
  /** Addresses to which a mail was promised. */
  readonly mails = new Set<string>();
  /** Users who signed up, by address. */
  readonly users = new Map<string, string>();
}

/** The acknowledged ones that are not there. */
export function missing(acknowledged: Iterable<string>, there: Iterable<string>): string[] {
  const found = new Set(there);
  return [...acknowledged].filter((each) => !found.has(each));
}

/** What is known of projects that the soak creates and deletes. */
export class ProjectBook {
  /** Created, and no deletion was requested. */
  readonly active = new Set<string>();
  /** Their deletion was acknowledged. */
  readonly deleted = new Set<string>();
  /** The last creation or deletion got no answer, or an error that asks for another try. */
  readonly unsure = new Set<string>();

  created(ref: string, isAcknowledged: boolean): void {
    (isAcknowledged ? this.active : this.unsure).add(ref);
  }

  /** The project whose deletion is asked next: from now on it may be gone. */
  takeActive(): string | undefined {
    const [ref] = this.active;
    if (ref !== undefined) this.active.delete(ref);
    return ref;
  }

  removed(ref: string, isAcknowledged: boolean): void {
    (isAcknowledged ? this.deleted : this.unsure).add(ref);
  }

  /** Why a state (`gone` for none) contradicts what was acknowledged; undefined when it does not. */
  contradiction(ref: string, state: string): string | undefined {
    const allowed = this.active.has(ref)
      ? ['active']
      : this.deleted.has(ref)
        ? ['gone']
        : ['active', 'gone'];
    if (allowed.includes(state)) return undefined;
    return `project ${ref} is ${state} instead of ${allowed.join(' or ')}`;
  }

  get refs(): readonly string[] {
    return [...this.active, ...this.deleted, ...this.unsure];
  }
}
