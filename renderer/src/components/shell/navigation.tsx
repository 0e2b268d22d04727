/** The left column: playgrounds, then the service; a rail of icons where the window is narrow. */
import { Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { useRead } from '../../api/queries.ts';
import { t } from '../../strings/t.ts';
import { Connection } from './connection.tsx';
import { Logo } from './logo.tsx';
import { type NavItem, playgrounds, service } from './nav-items.tsx';
import classes from './navigation.module.css';
import { ThemeToggle } from './theme-toggle.tsx';

export function Navigation() {
  const narrow = useMediaQuery('(max-width: 900px)') ?? false;
  const version = useRead('GET /console/state').data?.version;
  return (
    <nav className={classes.nav} aria-label={t('shell.navigation')}>
      <NavLink to="/welcome" className={classes.brand} aria-label={t('shell.home')}>
        <Logo />
        <span className={classes.wide}>Lokal</span>
      </NavLink>
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
      <div className={classes.foot}>
        <Connection />
        {version && <span className={`${classes.version} ${classes.wide}`}>{version}</span>}
        <ThemeToggle />
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
      <Tooltip label={label} position="right" disabled={!narrow}>
        <NavLink to={item.to} className={classes.item} aria-label={label}>
          {item.icon}
          <span className={classes.wide}>{label}</span>
        </NavLink>
      </Tooltip>
    </li>
  );
}
