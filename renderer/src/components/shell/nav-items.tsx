import {
  IconActivity,
  IconChartBar,
  IconFileText,
  IconInfoCircle,
  IconKey,
  IconListCheck,
  IconMessage,
  IconPackage,
  IconPhoto,
  IconPlugConnected,
  IconRadar2,
  IconServer2,
  IconSettings,
  IconShieldCheck,
  IconStack2,
  IconStethoscope,
  IconVectorTriangle,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { TextKey } from '../../strings/t.ts';
import type { WorkKind } from '../../work/store.ts';

type TitleKey = Extract<TextKey, `${string}.title`>;

export interface NavItem {
  to: string;
  label: TitleKey;
  icon: ReactNode;
}

const icon = { size: 18, stroke: 1.6, 'aria-hidden': true } as const;

export interface Playground extends NavItem {
  kind: WorkKind;
}

export const playgrounds: Playground[] = [
  { kind: 'documents', to: '/documents', label: 'documents.title', icon: <IconFileText {...icon} /> },
  { kind: 'moderation', to: '/moderation', label: 'moderation.title', icon: <IconShieldCheck {...icon} /> },
  { kind: 'threats', to: '/threats', label: 'threats.title', icon: <IconRadar2 {...icon} /> },
  {
    kind: 'embeddings',
    to: '/embeddings',
    label: 'embeddings.title',
    icon: <IconVectorTriangle {...icon} />,
  },
  { kind: 'chat', to: '/chat', label: 'chat.title', icon: <IconMessage {...icon} /> },
  { kind: 'images', to: '/images', label: 'images.title', icon: <IconPhoto {...icon} /> },
];

export const playgroundOf = (kind: WorkKind): Playground =>
  playgrounds.find((each) => each.kind === kind) as Playground;

export const service: NavItem[] = [
  { to: '/requests', label: 'requests.title', icon: <IconActivity {...icon} /> },
  { to: '/usage', label: 'usage.title', icon: <IconChartBar {...icon} /> },
  { to: '/batches', label: 'batches.title', icon: <IconStack2 {...icon} /> },
  { to: '/keys', label: 'keys.title', icon: <IconKey {...icon} /> },
  { to: '/packs', label: 'packs.title', icon: <IconPackage {...icon} /> },
  { to: '/engines', label: 'engines.title', icon: <IconServer2 {...icon} /> },
];

export const machine: NavItem[] = [
  { to: '/network', label: 'network.title', icon: <IconPlugConnected {...icon} /> },
  { to: '/audit', label: 'audit.title', icon: <IconListCheck {...icon} /> },
  { to: '/diagnostics', label: 'diagnostics.title', icon: <IconStethoscope {...icon} /> },
  { to: '/settings', label: 'settings.title', icon: <IconSettings {...icon} /> },
];

/** Pages that others lead to. */
export const elsewhere: NavItem[] = [
  { to: '/threats/rules', label: 'rules.title', icon: <IconRadar2 {...icon} /> },
  { to: '/about', label: 'about.title', icon: <IconInfoCircle {...icon} /> },
  { to: '/packs/models', label: 'advice.title', icon: <IconPackage {...icon} /> },
  { to: '/licences', label: 'licences.title', icon: <IconListCheck {...icon} /> },
];
