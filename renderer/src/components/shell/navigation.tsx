/** The left column: playgrounds, then the service; a rail of icons where the window is narrow. */
import { Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import type { ReactElement, ReactNode } from 'react';
import { NavLink } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { t } from '../../strings/t.ts';
import { Connection } from './connection/connection.tsx';
import { EngineMeter } from './connection/engine-meter.tsx';
import { LanguageMenu } from './language-menu.tsx';
import { Logo } from './logo.tsx';
import { machine, type NavItem, playgrounds, service } from './nav-items.tsx';
import classes from './navigation.module.css';
import { ThemeToggle } from './theme-toggle.tsx';
import { JobTray } from './work/job-tray.tsx';
import { Recents } from './work/recents.tsx';

export function Navigation({ onSearch }: { onSearch: () => void }) {
  const narrow = useMediaQuery('(max-width: 900px)') ?? false;
  const version = useRead('GET /console/state').data?.version;
  return (
    <nav className={classes.nav} aria-label={t('shell.navigation')}>
      <div className={classes.scroll}>
        <NavLink to="/welcome" className={classes.brand} aria-label={t('shell.home')}>
          <Logo />
          <span className={classes.wide}>Lokal</span>
        </NavLink>
        <Named label={t('work.palette.open')} narrow={narrow}>
          <button
            type="button"
            className={classes.search}
            {...(narrow && { 'aria-label': t('work.palette.open') })}
            aria-keyshortcuts="Control+K Meta+K"
            onClick={onSearch}
          >
            <IconSearch size={16} stroke={1.6} aria-hidden />
            <span className={classes.wide}>{t('work.palette.open')}</span>
            <kbd className={`${classes.keys} ${classes.wide}`} aria-hidden>
              Ctrl K
            </kbd>
          </button>
        </Named>
        <Section title={t('shell.playgrounds')}>
          {playgrounds.map((item) => (
            <Item key={item.to} item={item} narrow={narrow} />
          ))}
        </Section>
        <Section title={t('shell.service')}>
          {service.map((item) => (
            <Item key={item.to} item={item} narrow={narrow} />
          ))}
        </Section>
        <Section title={t('shell.machine')}>
          {machine.map((item) => (
            <Item key={item.to} item={item} narrow={narrow} />
          ))}
        </Section>
        <Recents />
      </div>
      <div className={classes.bottom}>
        <JobTray />
        <EngineMeter />
        <div className={classes.foot}>
          <Connection />
          {version && <span className={`${classes.version} ${classes.wide}`}>{version}</span>}
          <LanguageMenu />
          <ThemeToggle />
        </div>
      </div>
    </nav>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.section}>
      <div className={`${classes.heading} ${classes.wide}`}>{title}</div>
      <ul className={classes.list}>{children}</ul>
    </div>
  );
}

function Item({ item, narrow }: { item: NavItem; narrow: boolean }) {
  const label = t(item.label);
  return (
    <li>
      <Named label={label} narrow={narrow}>
        <NavLink to={item.to} className={classes.item} aria-label={label}>
          {item.icon}
          <span className={classes.wide}>{label}</span>
        </NavLink>
      </Named>
    </li>
  );
}

/** The name beside an icon that stands alone. Twenty tooltips at rest are a tenth of the page's start: there are none beside words. */
function Named({ label, narrow, children }: { label: string; narrow: boolean; children: ReactElement }) {
  if (!narrow) return children;
  return (
    <Tooltip label={label} position="right">
      {children}
    </Tooltip>
  );
}
