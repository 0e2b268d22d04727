import {
  IconActivity,
  IconChartBar,
  IconFileText,
  IconKey,
  IconListCheck,
  IconMessage,
  IconPackage,
  IconPhoto,
  IconPlugConnected,
  IconRadar2,
  IconSettings,
  IconShieldCheck,
  IconVectorTriangle,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { TextKey } from '../../strings/t.ts';

type TitleKey = Extract<TextKey, `${string}.title`>;

export interface NavItem {
  to: string;
  label: TitleKey;
  icon: ReactNode;
}

const icon = { size: 18, stroke: 1.6, 'aria-hidden': true } as const;

export const playgrounds: NavItem[] = [
  { to: '/documents', label: 'documents.title', icon: <IconFileText {...icon} /> },
  { to: '/moderation', label: 'moderation.title', icon: <IconShieldCheck {...icon} /> },
  { to: '/threats', label: 'threats.title', icon: <IconRadar2 {...icon} /> },
  { to: '/embeddings', label: 'embeddings.title', icon: <IconVectorTriangle {...icon} /> },
  { to: '/chat', label: 'chat.title', icon: <IconMessage {...icon} /> },
  { to: '/images', label: 'images.title', icon: <IconPhoto {...icon} /> },
];

export const service: NavItem[] = [
  { to: '/requests', label: 'requests.title', icon: <IconActivity {...icon} /> },
  { to: '/usage', label: 'usage.title', icon: <IconChartBar {...icon} /> },
  { to: '/keys', label: 'keys.title', icon: <IconKey {...icon} /> },
  { to: '/packs', label: 'packs.title', icon: <IconPackage {...icon} /> },
  { to: '/network', label: 'network.title', icon: <IconPlugConnected {...icon} /> },
  { to: '/audit', label: 'audit.title', icon: <IconListCheck {...icon} /> },
  { to: '/settings', label: 'settings.title', icon: <IconSettings {...icon} /> },
];
