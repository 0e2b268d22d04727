/** Switches off every request that Chromium makes on its own; those never pass the session's request filter. */
import type { AppApi, SessionApi } from './electron-api.ts';

/** Names and values of Chromium's command line; they count only before the app is ready. */
const switches: [name: string, value?: string][] = [
  ['disable-background-networking'],
  ['disable-component-update'],
  ['disable-domain-reliability'],
  ['disable-breakpad'],
  ['disable-sync'],
  ['no-pings'],
  ['safebrowsing-disable-auto-update'],
  ['variations-server-url', ''],
  ['force-webrtc-ip-handling-policy', 'disable_non_proxied_udp'],
  [
    'disable-features',
    'OptimizationHints,MediaRouter,DialMediaRouteProvider,CertificateTransparencyComponentUpdater',
  ],
];

export function silenceChromium(app: Pick<AppApi, 'commandLine'>): void {
  for (const [name, value] of switches) app.commandLine.appendSwitch(name, value);
}

/** A dictionary is fetched as soon as the session has a language to spell; `spellcheck: false` of a page does not stop that. */
export function silenceSession(session: Pick<SessionApi, 'setSpellCheckerLanguages'>): void {
  session.setSpellCheckerLanguages([]);
}
