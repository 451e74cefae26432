import { createElement, type ReactNode, useMemo } from 'react';

import { Tabs } from '../../ui/tabs.js';
import { linksIn, type MailNode, mailTree, inertHtml } from './safe-mail.js';

interface MailProps {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** A mail as its reader sees it. Nothing of it runs or loads. */
export function MailView({ subject, text, html }: MailProps): ReactNode {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="text-[14px] break-words">
        <span className="text-soft">Subject: </span>
        <span className="font-semibold">{subject}</span>
      </p>
      <Tabs
        label="Forms of the mail"
        tabs={[
          { name: 'HTML', content: <HtmlMail html={html} /> },
          { name: 'Text', content: <TextMail text={text} /> },
        ]}
      />
    </div>
  );
}

function HtmlMail({ html }: { readonly html: string }): ReactNode {
  const nodes = useMemo(() => {
    // Documents that are parsed so run no scripts and load nothing.
    const parsed = new DOMParser().parseFromString(inertHtml(html), 'text/html');
    return mailTree(parsed.body);
  }, [html]);
  return (
    <div
      role="region"
      aria-label="HTML of the mail"
      tabIndex={0}
      // Mails are made for a light page, and stay within their place.
      style={{ colorScheme: 'light', contain: 'content' }}
      className="max-h-[36rem] overflow-auto rounded-md border border-line bg-surface p-3 text-ink"
    >
      {nodes.map(drawn)}
    </div>
  );
}

function drawn(node: MailNode, key: number): ReactNode {
  if (node.kind === 'text') return node.text;
  if (node.kind === 'image') {
    return (
      <span key={key} className="rounded-sm border border-line px-1 text-[12px] text-soft">
        {node.text}
      </span>
    );
  }
  const { tag, style, href, children } = node;
  const link = href !== undefined && { href, target: '_blank', rel: 'noopener noreferrer' };
  const isEmpty = tag === 'br' || tag === 'hr';
  const props = {
    key,
    style,
    ...link,
    ...(tag === 'a' && Object.keys(style).length === 0 && { className: 'text-accent underline' }),
  };
  return isEmpty
    ? createElement(tag, props)
    : createElement(tag, props, ...children.map((child, place) => drawn(child, place)));
}

function TextMail({ text }: { readonly text: string }): ReactNode {
  return (
    <pre
      tabIndex={0}
      role="region"
      aria-label="Text of the mail"
      className="max-h-[36rem] overflow-auto rounded-md border border-line bg-surface p-3 text-[13px] leading-relaxed break-words whitespace-pre-wrap"
    >
      {linksIn(text).map((piece, place) =>
        piece.isLink ? (
          <a
            key={place}
            href={piece.text}
            target="_blank"
            rel="noopener noreferrer"
            className="text-accent underline"
          >
            {piece.text}
          </a>
        ) : (
          piece.text
        ),
      )}
    </pre>
  );
}
