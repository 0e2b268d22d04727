/** Lokal's look, every token of it: a muted teal on cool grays, Inter (Chinese: the system's own, else Noto Sans SC), small steps between sizes. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const teal: MantineColorsTuple = [
  '#e6f5f5',
  '#cfe9ea',
  '#a3d5d8',
  '#74c0c5',
  '#4fafb5',
  '#2f9aa2',
  '#12828b',
  '#0b6b75',
  '#085760',
  '#04434b',
];

const ink: MantineColorsTuple = [
  '#d6dbe0',
  '#b3bbc4',
  '#98a2ad',
  '#67717c',
  '#3f4851',
  '#2f363e',
  '#242a31',
  '#191e23',
  '#13171b',
  '#0d1013',
];

export const theme = createTheme({
  colors: { teal, dark: ink },
  primaryColor: 'teal',
  primaryShade: 7,
  fontFamily:
    '"Inter Variable", system-ui, -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC Variable", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace, "Noto Sans SC Variable"',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.3' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 6,
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs' } },
    // Below: in a row of fields the boxes stand on one line, however long their notes are.
    InputWrapper: { defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    TextInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', comboboxProps: { shadow: 'md' } } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    TagsInput: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'xs' } },
    Badge: { defaultProps: { size: 'sm', variant: 'light', radius: 'sm', tt: 'none', fw: 600 } },
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } },
    Tooltip: {
      defaultProps: { openDelay: 300, withArrow: true, events: { hover: true, focus: true, touch: true } },
    },
    // Locking the scroll injects a style element, which the page's content security policy refuses.
    Modal: {
      styles: { title: { fontWeight: 650 } },
      defaultProps: { lockScroll: false, centered: true, overlayProps: { backgroundOpacity: 0.45 } },
    },
  },
});

/** Tints for badges and notices in the dark; Mantine's own are saturated enough to shout. */
const softColors = Object.fromEntries(
  [
    ['red', '255 107 107', '#ffa8a8'],
    ['orange', '255 146 43', '#ffc078'],
    ['yellow', '252 196 25', '#ffe066'],
    ['teal', '79 175 181', '#7fd0d4'],
    ['blue', '77 171 247', '#a5d8ff'],
    ['gray', '152 162 173', '#c4ccd4'],
  ].flatMap(([name, tint, text]) => [
    [`--mantine-color-${name}-light`, `rgb(${tint} / 14%)`],
    [`--mantine-color-${name}-light-hover`, `rgb(${tint} / 20%)`],
    [`--mantine-color-${name}-light-color`, text],
  ]),
) as Record<string, string>;

/** Colors Mantine has no name for, and two of its grays that are too faint to read. */
export const resolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#56616c',
    '--mantine-color-placeholder': '#6a7580',
    '--mantine-color-error': '#c22525',
    '--lk-sunken': '#f4f6f7',
    '--lk-raised': '#ffffff',
    '--lk-line': '#dde2e6',
    '--lk-hover': '#eaeef0',
    '--lk-accent': '#0b6b75',
    '--lk-accent-soft': '#e0f1f1',
    '--lk-good': '#1a7f4b',
    '--lk-warn': '#9a5b00',
    '--lk-bad': '#c22525',
    '--lk-mark': '#ffe9a8',
    '--mantine-color-yellow-light-color': '#7a4d00',
    '--mantine-color-orange-light-color': '#9a3412',
    '--mantine-color-red-light-color': '#b02020',
  },
  dark: {
    '--mantine-color-dimmed': '#9aa4af',
    '--mantine-color-placeholder': '#8b95a0',
    '--mantine-color-error': '#ff8f8f',
    '--lk-sunken': '#13171b',
    '--lk-raised': '#1e242a',
    '--lk-line': '#313941',
    '--lk-hover': '#262d34',
    '--lk-accent': '#63c2c6',
    '--lk-accent-soft': '#11373b',
    '--lk-good': '#5fcf96',
    '--lk-warn': '#f0b35a',
    '--lk-bad': '#ff8f8f',
    '--lk-mark': '#5b4a12',
    ...softColors,
  },
});
