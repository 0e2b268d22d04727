/** Every page, loaded when first visited. Routes live in the fragment: the server serves one page, at `/`. */
import type { ComponentType } from 'react';
import { createHashRouter } from 'react-router';
import { CrashPage } from './components/feedback/crash-page.tsx';
import { Home } from './components/shell/home.tsx';
import { Shell } from './components/shell/shell.tsx';
import { useLanguage } from './strings/language.ts';

/** Drawn anew when the language changes: a route's element stays the same, so nothing else would. */
function page(Content: ComponentType): { Component: ComponentType } {
  const Component = () => {
    useLanguage();
    return <Content />;
  };
  return { Component };
}

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
        lazy: async () => page((await import('./pages/welcome/welcome-page.tsx')).WelcomePage),
      },
      {
        path: 'documents',
        lazy: async () => page((await import('./pages/documents/documents-page.tsx')).DocumentsPage),
      },
      {
        path: 'moderation',
        lazy: async () => page((await import('./pages/moderation/moderation-page.tsx')).ModerationPage),
      },
      {
        path: 'threats',
        lazy: async () => page((await import('./pages/threats/threats-page.tsx')).ThreatsPage),
      },
      {
        path: 'threats/rules',
        lazy: async () => page((await import('./pages/rules/rules-page.tsx')).RulesPage),
      },
      {
        path: 'embeddings',
        lazy: async () => page((await import('./pages/embeddings/embeddings-page.tsx')).EmbeddingsPage),
      },
      {
        path: 'chat',
        lazy: async () => page((await import('./pages/chat/chat-page.tsx')).ChatPage),
      },
      {
        path: 'images',
        lazy: async () => page((await import('./pages/images/images-page.tsx')).ImagesPage),
      },
      {
        path: 'requests',
        lazy: async () => page((await import('./pages/requests/requests-page.tsx')).RequestsPage),
      },
      {
        path: 'usage',
        lazy: async () => page((await import('./pages/usage/usage-page.tsx')).UsagePage),
      },
      {
        path: 'batches',
        lazy: async () => page((await import('./pages/batches/batches-page.tsx')).BatchesPage),
      },
      {
        path: 'keys',
        lazy: async () => page((await import('./pages/keys/keys-page.tsx')).KeysPage),
      },
      {
        path: 'packs',
        lazy: async () => page((await import('./pages/packs/packs-page.tsx')).PacksPage),
      },
      {
        path: 'packs/models',
        lazy: async () => page((await import('./pages/packs/catalogue/models-page.tsx')).ModelsPage),
      },
      {
        path: 'engines',
        lazy: async () => page((await import('./pages/engines/engines-page.tsx')).EnginesPage),
      },
      {
        path: 'network',
        lazy: async () => page((await import('./pages/network/network-page.tsx')).NetworkPage),
      },
      {
        path: 'audit',
        lazy: async () => page((await import('./pages/audit/audit-page.tsx')).AuditPage),
      },
      {
        path: 'diagnostics',
        lazy: async () => page((await import('./pages/diagnostics/diagnostics-page.tsx')).DiagnosticsPage),
      },
      {
        path: 'about',
        lazy: async () => page((await import('./pages/about/about-page.tsx')).AboutPage),
      },
      {
        path: 'licences',
        lazy: async () => page((await import('./pages/licences/licences-page.tsx')).LicencesPage),
      },
      {
        path: 'settings',
        lazy: async () => page((await import('./pages/settings/settings-page.tsx')).SettingsPage),
      },
      { path: '*', element: <Home /> },
    ],
  },
]);
