/** Every page, loaded when first visited. Routes live in the fragment: the server serves one page, at `/`. */
import { createHashRouter } from 'react-router';
import { CrashPage } from './components/feedback/crash-page.tsx';
import { Home } from './components/shell/home.tsx';
import { Shell } from './components/shell/shell.tsx';

export const router = createHashRouter([
  {
    path: '/',
    element: <Shell />,
    errorElement: <CrashPage />,
    // Nothing to show while the first page's script comes from this machine.
    hydrateFallbackElement: <></>,
    children: [
      { index: true, element: <Home /> },
      {
        path: 'welcome',
        lazy: async () => ({ Component: (await import('./pages/welcome/welcome-page.tsx')).WelcomePage }),
      },
      {
        path: 'documents',
        lazy: async () => ({
          Component: (await import('./pages/documents/documents-page.tsx')).DocumentsPage,
        }),
      },
      {
        path: 'moderation',
        lazy: async () => ({
          Component: (await import('./pages/moderation/moderation-page.tsx')).ModerationPage,
        }),
      },
      {
        path: 'threats',
        lazy: async () => ({ Component: (await import('./pages/threats/threats-page.tsx')).ThreatsPage }),
      },
      {
        path: 'threats/rules',
        lazy: async () => ({ Component: (await import('./pages/rules/rules-page.tsx')).RulesPage }),
      },
      {
        path: 'embeddings',
        lazy: async () => ({
          Component: (await import('./pages/embeddings/embeddings-page.tsx')).EmbeddingsPage,
        }),
      },
      {
        path: 'chat',
        lazy: async () => ({ Component: (await import('./pages/chat/chat-page.tsx')).ChatPage }),
      },
      {
        path: 'images',
        lazy: async () => ({ Component: (await import('./pages/images/images-page.tsx')).ImagesPage }),
      },
      {
        path: 'requests',
        lazy: async () => ({ Component: (await import('./pages/requests/requests-page.tsx')).RequestsPage }),
      },
      {
        path: 'usage',
        lazy: async () => ({ Component: (await import('./pages/usage/usage-page.tsx')).UsagePage }),
      },
      {
        path: 'keys',
        lazy: async () => ({ Component: (await import('./pages/keys/keys-page.tsx')).KeysPage }),
      },
      {
        path: 'packs',
        lazy: async () => ({ Component: (await import('./pages/packs/packs-page.tsx')).PacksPage }),
      },
      {
        path: 'network',
        lazy: async () => ({ Component: (await import('./pages/network/network-page.tsx')).NetworkPage }),
      },
      {
        path: 'audit',
        lazy: async () => ({ Component: (await import('./pages/audit/audit-page.tsx')).AuditPage }),
      },
      {
        path: 'diagnostics',
        lazy: async () => ({
          Component: (await import('./pages/diagnostics/diagnostics-page.tsx')).DiagnosticsPage,
        }),
      },
      {
        path: 'licences',
        lazy: async () => ({ Component: (await import('./pages/licences/licences-page.tsx')).LicencesPage }),
      },
      {
        path: 'settings',
        lazy: async () => ({ Component: (await import('./pages/settings/settings-page.tsx')).SettingsPage }),
      },
      { path: '*', element: <Home /> },
    ],
  },
]);
