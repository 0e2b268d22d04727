/** The page's side of the desktop app: opens what the system was asked to open, and tells the taskbar of running work. */
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useConsoleEvents } from '../../api/api-context.tsx';
import { type DesktopBridge, desktopBridge, type OpenRequest } from '../../api/session.ts';
import { t } from '../../strings/t.ts';
import { packInbox } from '../../work/pack-inbox.ts';
import { runningShare } from '../../work/running-share.ts';
import type { Session } from '../../work/store.ts';
import { useAllWork } from '../../work/work-context.ts';
import { endedText } from './work/ended-text.ts';

export function DesktopLink() {
  const bridge = desktopBridge();
  return bridge && <Linked bridge={bridge} />;
}

function Linked({ bridge }: { bridge: DesktopBridge }) {
  const navigate = useNavigate();
  const latest = useRef(navigate);
  useEffect(() => {
    latest.current = navigate;
  });
  useEffect(
    () => bridge.onOpen((request) => openRequested(request, (to) => void latest.current(to))),
    [bridge],
  );

  const { sessions } = useAllWork();
  const imported = useImportShare(() => bridge.tellEnded(`${t('packs.import')}: ${t('packs.phases.done')}`));
  const share = runningShare(sessions, imported);
  useEffect(() => bridge.showProgress(share), [bridge, share]);
  useEnded(sessions, (session) => bridge.tellEnded(endedText(session)));
  return null;
}

/** A file takes the way of one that is dropped: where more than one page may take it, the person is asked. */
function openRequested(request: OpenRequest, navigate: (to: string) => void): void {
  if (request.kind === 'page') {
    navigate(request.page);
    return;
  }
  if (request.kind === 'pack') {
    packInbox.putPath(request.path);
    navigate('/packs');
    return;
  }
  const data = new DataTransfer();
  data.items.add(new File([request.bytes as Uint8Array<ArrayBuffer>], request.name));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
}

/** An import that failed says nothing more. */
const quietMs = 60_000;

function useImportShare(onDone: () => void): number | null {
  const [share, setShare] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useConsoleEvents((event) => {
    if (event.type !== 'import') return;
    const ended = event.phase === 'done';
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setShare(null), quietMs);
    setShare(ended ? null : event.done);
    if (ended) onDone();
  });
  return share;
}

/** Called with each session whose running work has ended, whatever page is shown. */
function useEnded(sessions: readonly Session[], onEnd: (session: Session) => void): void {
  const running = useRef(new Set<string>());
  useEffect(() => {
    for (const session of sessions)
      if (running.current.has(session.id) && session.state !== 'running' && !session.removed) onEnd(session);
    running.current = new Set(sessions.filter(({ state }) => state === 'running').map(({ id }) => id));
  });
}
