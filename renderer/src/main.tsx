import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@fontsource-variable/inter/wght.css';
import './theme/global.css';
import { createRoot } from 'react-dom/client';
import { createClient } from './api/client.ts';
import { storedSecret } from './api/page-secret.ts';
import { establishSession, followAddress } from './api/session.ts';
import { App, createQueries, readGate } from './app.tsx';
import { startLanguage } from './strings/language.ts';
import { adoptTheme } from './theme/adopt-theme.ts';

adoptTheme();
await startLanguage();
const secret = storedSecret();
const client = createClient(undefined, secret);
// Before the router reads the address: the one-time token must not become a route.
await establishSession(client, secret);
followAddress(client, secret);
const queries = createQueries();
await readGate(queries, client);
const root = document.getElementById('root');
if (root) createRoot(root).render(<App client={client} queries={queries} />);

// After the page is drawn: a list of a hundred slices, most of which no page ever needs.
void import('./theme/chinese.ts');
