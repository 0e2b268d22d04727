import { describe, expect, it, vi } from 'vitest';
import { offlineCode, Problem } from '../../renderer/src/api/problem.ts';
import { searchPalette } from '../../renderer/src/components/shell/palette/palette-search.ts';
import { endedText } from '../../renderer/src/components/shell/work/ended-text.ts';
import { isUnkept, keepContent } from '../../renderer/src/work/keep.ts';
import {
  destinationsOf,
  destinationsOfAll,
  destinationsOfText,
} from '../../renderer/src/work/route-input.ts';
import { createWorkStore, recents } from '../../renderer/src/work/store.ts';

function setUp() {
  let count = 0;
  let nowMs = 1_000;
  const store = createWorkStore({ id: () => `s${count++}`, now: () => nowMs });
  store.visit('documents');
  const first = store.get().shown.documents as string;
  return { store, first, later: (ms: number) => (nowMs += ms) };
}
const titles = (store: ReturnType<typeof createWorkStore>) => recents(store.get()).map(({ title }) => title);
const stateOf = (store: ReturnType<typeof createWorkStore>, id: string) =>
  store.get().sessions.find((each) => each.id === id)?.state;

describe('the work store', () => {
  it('gives each playground a session when it is first visited, and lists it once it holds something', () => {
    const { store, first } = setUp();
    expect(recents(store.get())).toEqual([]);
    store.setTitle(first, 'invoice.pdf');
    expect(titles(store)).toEqual(['invoice.pdf']);
    store.setTitle(first, null);
    expect(recents(store.get())).toEqual([]);
  });

  it('uses an empty page before it opens another', () => {
    const { store, first } = setUp();
    expect(store.begin('documents')).toBe(first);
    store.setTitle(first, 'a.pdf');
    const second = store.begin('documents');
    expect(second).not.toBe(first);
    expect(store.get().shown.documents).toBe(second);
    store.open(first);
    expect(store.get().shown.documents).toBe(first);
  });

  it('brings what was dropped elsewhere to a page of its own', () => {
    const { store, first } = setUp();
    store.setTitle(first, 'a.pdf');
    const taker = store.deliver('documents', { text: 'x' });
    expect(taker).not.toBe(first);
    expect(store.get().sessions.find(({ id }) => id === taker)?.delivery).toEqual({ text: 'x' });
    store.taken(taker);
    expect(store.get().sessions.find(({ id }) => id === taker)?.delivery).toBeNull();
  });

  it('tells of work that ends while another page is shown, and of no other', () => {
    const { store, first } = setUp();
    const ended = vi.fn();
    store.onEnd(ended);
    store.setTitle(first, 'a.pdf');
    store.start(first).end('done');
    expect(ended).not.toHaveBeenCalled();
    const job = store.start(first);
    expect(stateOf(store, first)).toBe('running');
    store.visit('chat');
    job.end('failed', new Error('It is too long.'));
    expect(ended).toHaveBeenCalledOnce();
    expect(endedText(ended.mock.calls[0]?.[0])).toBe('a.pdf has failed. It is too long.');
    expect(stateOf(store, first)).toBe('failed');
    store.start(first).end('failed', new Problem('', { status: 0, code: offlineCode }));
    expect(endedText(ended.mock.calls[1]?.[0])).toBe(
      'a.pdf has failed. Lokal is not answering. Is the server still running?',
    );
    store.visit('documents');
    expect(stateOf(store, first)).toBe('open');
    store.start(first).end('cancelled');
    expect(ended).toHaveBeenCalledTimes(2);
  });

  it('runs until the last of its jobs has ended', () => {
    const { store, first } = setUp();
    const jobs = [store.start(first), store.start(first)];
    jobs[0]?.end('done');
    expect(stateOf(store, first)).toBe('running');
    jobs[1]?.end('done');
    expect(stateOf(store, first)).toBe('open');
  });

  it('hears progress by the request it names, and hands on a cancel', () => {
    const { store, first } = setUp();
    const cancel = vi.fn();
    const job = store.start(first, { requestId: 'r1', cancel });
    store.progress('other', 1, 9);
    expect(store.get().sessions[0]?.progress).toBeNull();
    store.progress('r1', 2, 9);
    expect(store.get().sessions[0]?.progress).toEqual({ done: 2, total: 9 });
    store.cancel(first);
    expect(cancel).toHaveBeenCalledOnce();
    job.end('cancelled');
    expect(store.get().sessions[0]?.progress).toBeNull();
  });

  it('takes away with a way back, and keeps a name of the person’s own', () => {
    const { store, first } = setUp();
    store.setTitle(first, 'a.pdf');
    store.rename(first, 'Rent');
    store.setTitle(first, 'b.pdf');
    expect(titles(store)).toEqual(['Rent']);
    store.remove(first);
    expect(titles(store)).toEqual([]);
    expect(store.get().shown.documents).not.toBe(first);
    store.bringBack(first);
    expect(titles(store)).toEqual(['Rent']);
    expect(store.get().shown.documents).toBe(first);
    store.forget(first);
    expect(titles(store)).toEqual(['Rent']);
    store.remove(first);
    store.forget(first);
    expect(store.get().sessions.some(({ id }) => id === first)).toBe(false);
  });

  it('lists pinned work first, then the newest; closes the longest untouched when there is too much', () => {
    const { store, first, later } = setUp();
    store.setTitle(first, 'pinned');
    store.pin(first, true);
    for (let index = 0; index < 40; index += 1) {
      later(10);
      store.setTitle(store.begin('documents'), `d${index}`);
    }
    expect(store.get().sessions.length).toBe(24);
    expect(titles(store).slice(0, 3)).toEqual(['pinned', 'd39', 'd38']);
    expect(titles(store)).not.toContain('d0');
  });

  it('opens what was kept with its content', () => {
    const { store } = setUp();
    store.restore('threats', { id: 'kept', title: 'auth.log', content: { text: 'x' } });
    expect(store.get().shown.threats).toBe('kept');
    expect(titles(store)).toEqual(['auth.log']);
    store.restore('threats', { id: 'kept', title: 'auth.log', content: null });
    expect(store.get().sessions.filter(({ id }) => id === 'kept')).toHaveLength(1);
  });
});

describe('what is dropped anywhere', () => {
  it.each([
    ['scan.PDF', ['documents']],
    ['page.tiff', ['documents']],
    ['photo.jpg', ['documents', 'images']],
    ['clip.mp4', ['images']],
    ['auth.log', ['threats']],
    ['events.jsonl', ['threats']],
    ['note.txt', ['moderation', 'chat', 'documents']],
    ['letter.docx', ['documents']],
    ['sheet.ods', ['documents']],
    ['mail.eml', ['documents', 'moderation', 'chat']],
    ['photo.webp', ['images']],
    ['model.gguf', ['packs']],
    ['thing.xyz', []],
  ])('%s goes to %j', (name, destinations) => {
    expect(destinationsOf({ name })).toEqual(destinations);
  });

  it('goes together only where all of it can go', () => {
    expect(destinationsOfAll([{ name: 'a.pdf' }, { name: 'b.png' }])).toEqual(['documents']);
    expect(destinationsOfAll([{ name: 'a.pdf' }, { name: 'b.mp4' }])).toEqual([]);
  });

  it.each([
    'Nov 12 10:11:12 host sshd[1]: Failed password for root',
    '{"eventName":"ConsoleLogin"}\n{"eventName":"GetObject"}',
    '10.0.0.1 - - [12/Nov/2026:10:11:12 +0800] "GET / HTTP/1.1" 200 1',
    'type=EXECVE msg=audit(1.2:3): argc=1',
  ])('knows %j for a log', (text) => {
    expect(destinationsOfText(text)).toEqual(['threats']);
  });

  it('asks where prose belongs', () => {
    expect(destinationsOfText('Dear all,\nthe meeting is at ten.')).toEqual(['moderation', 'chat']);
  });
});

describe('the palette', () => {
  const item = (id: string, title: string, note?: string) => ({
    id,
    group: 'pages' as const,
    title,
    ...(note && { note }),
    run: () => undefined,
  });
  const items = [
    item('1', 'Documents'),
    item('2', 'New: Documents'),
    item('3', 'Café invoice', 'Documents'),
    item('4', 'Audit log'),
  ];
  const ids = (typed: string) => searchPalette(items, typed).map(({ id }) => id);

  it('ranks a title’s beginning before a later word, and both before a note', () => {
    expect(ids('doc')).toEqual(['1', '2', '3']);
  });
  it('wants every word, in any order and without accents', () => {
    expect(ids('invoice cafe')).toEqual(['3']);
    expect(ids('cafe audit')).toEqual([]);
  });
  it('offers everything before a letter is typed', () => {
    expect(ids(' ')).toEqual(['1', '2', '3', '4']);
  });
});

describe('a page that is closed or loaded again', () => {
  it('asks while something stands on it that is kept nowhere', () => {
    const page = { id: 'page', kind: 'images', state: 'open', removed: false } as const;
    expect(isUnkept(page, true)).toBe(true);
    expect(isUnkept({ ...page, state: 'empty' }, true)).toBe(false);
    expect(isUnkept({ ...page, removed: true }, true)).toBe(false);
  });

  it('asks for a conversation that is not kept by itself, and for one that is only typed', () => {
    const chat = { id: 'chat', kind: 'chat', state: 'open', removed: false } as const;
    expect(isUnkept(chat, true)).toBe(true);
    keepContent(chat.id, { tree: {} });
    expect(isUnkept(chat, true)).toBe(false);
    expect(isUnkept(chat, false)).toBe(true);
  });
});
