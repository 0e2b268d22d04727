/**
 * An answer's Markdown as React elements. The text is only ever parsed into tokens, never into HTML: tags in it are shown
 * as they were written, links lead to the web or a mailbox alone, and pictures are named, not fetched.
 */
import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { Fragment, memo, type ReactNode } from 'react';
import { CodeBlock } from '../../../components/code/code-block.tsx';
import { ScrollRegion } from '../../../components/frame/scroll-region.tsx';
import { t } from '../../../strings/t.ts';
import classes from './markdown.module.css';

/** Deeper lists and quotes than anyone writes are shown as text, so that no answer can exhaust the stack. */
const mostDepth = 24;

export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return <div className={classes.markdown}>{toBlocks(text)}</div>;
});

function toBlocks(text: string): ReactNode {
  try {
    return all(lexer(text, { gfm: true, breaks: true }), 0);
  } catch {
    return <p>{text}</p>;
  }
}

function all(tokens: readonly Token[] | undefined, depth: number): ReactNode {
  return tokens?.map((token, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a token is its place
    <Fragment key={index}>{toElement(token as MarkedToken, depth + 1)}</Fragment>
  ));
}

function toElement(token: MarkedToken, depth: number): ReactNode {
  if (depth > mostDepth) return token.raw;
  switch (token.type) {
    case 'paragraph':
      return <p>{all(token.tokens, depth)}</p>;
    case 'heading':
      return <Heading depth={token.depth}>{all(token.tokens, depth)}</Heading>;
    case 'code':
      return (
        <CodeBlock code={token.text} label={token.lang?.split(' ')[0] || t('chat.code')} maxHeight={520} />
      );
    case 'blockquote':
      return <blockquote>{all(token.tokens, depth)}</blockquote>;
    case 'list':
      return <List list={token} depth={depth} />;
    case 'table':
      return <Table table={token} depth={depth} />;
    case 'hr':
      return <hr />;
    case 'strong':
      return <strong>{all(token.tokens, depth)}</strong>;
    case 'em':
      return <em>{all(token.tokens, depth)}</em>;
    case 'del':
      return <del>{all(token.tokens, depth)}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return <Link href={token.href}>{all(token.tokens, depth)}</Link>;
    case 'image':
      return <Link href={token.href}>{t('chat.picture', { name: token.text || token.href })}</Link>;
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'text':
      return token.tokens ? all(token.tokens, depth) : token.text;
    case 'escape':
      return token.text;
    case 'space':
    case 'def':
      return null;
    default:
      return token.raw;
  }
}

/** The page's own headings are above those of an answer. */
function Heading({ depth, children }: { depth: number; children: ReactNode }) {
  const Name = `h${Math.min(6, depth + 2)}` as 'h3';
  return <Name>{children}</Name>;
}

function List({ list, depth }: { list: Tokens.List; depth: number }) {
  const items = list.items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
    <li key={index}>{all(item.tokens, depth)}</li>
  ));
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table, depth }: { table: Tokens.Table; depth: number }) {
  const cells = (row: Tokens.TableCell[], Cell: 'th' | 'td') =>
    row.map(({ tokens, align }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
      <Cell key={index} style={align ? { textAlign: align } : {}}>
        {all(tokens, depth)}
      </Cell>
    ));
  return (
    <ScrollRegion className={classes.table} label={t('chat.table')}>
      <table>
        <thead>
          <tr>{cells(table.header, 'th')}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return children;
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
