/** Opens the event feed once there is a session, and writes what it brings into what the pages have read. */
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { FeedContext, useClient } from '../../../api/api-context.tsx';
import { type EventFeed, openEventFeed } from '../../../api/event-feed.ts';
import { applyHost, applyRequest } from '../../../api/queries.ts';

export function LiveEvents({ children }: { children: ReactNode }) {
  const client = useClient();
  const queries = useQueryClient();
  const [feed, setFeed] = useState<EventFeed | null>(null);

  useEffect(() => {
    const opened = openEventFeed(client);
    const stopEvents = opened.onEvent((event) => {
      if (event.type === 'request') applyRequest(queries, event.entry);
      if (event.type === 'host') applyHost(queries, event.host);
      if (event.type === 'settings') void queries.invalidateQueries({ queryKey: ['GET /console/settings'] });
      if (event.type === 'engine') void queries.invalidateQueries({ queryKey: ['GET /console/engines'] });
    });
    let lost = false;
    const stopState = opened.onState(() => {
      // Events missed while the line was down are read anew.
      if (lost && opened.state() === 'open') void queries.invalidateQueries();
      lost = opened.state() === 'lost';
      // It may be the session that ended.
      if (lost) void queries.invalidateQueries({ queryKey: ['GET /console/state'] });
    });
    setFeed(opened);
    return () => {
      stopEvents();
      stopState();
      opened.close();
    };
  }, [client, queries]);

  return <FeedContext value={feed}>{children}</FeedContext>;
}
