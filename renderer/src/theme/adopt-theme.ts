/**
 * Puts the theme's variables on the page as a constructed stylesheet. Mantine would write a style element instead, which
 * `style-src 'self'` refuses.
 */
import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import { resolver, theme } from './theme.ts';

export function adoptTheme(): void {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const base = defaultCssVariablesResolver(merged);
  const own = resolver(merged);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    convertCssVariables({
      variables: { ...base.variables, ...own.variables },
      light: { ...base.light, ...own.light, '--mantine-color-scheme': 'light' },
      dark: { ...base.dark, ...own.dark, '--mantine-color-scheme': 'dark' },
    }),
  );
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
