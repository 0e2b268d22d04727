/** Roles beside names, by the pack's words. */
import { expect, test } from 'vitest';
import { roleAnswer } from '../../../../server/engine/chat/reader/roles.ts';
import { settings } from '../../../support/chat/reader-settings.ts';

const tenant = (text: string) => roleAnswer('Who is the tenant?', text, settings.roles);

test.each([
  'Ana Brook (the “tenant”) and Tom Hale (the “landlord”)',
  'Ana Brook (hereinafter, the "tenant") pays Tom Hale.',
  'Ana Brook (as tenant) pays Tom Hale.',
])('“%s” names the tenant', (text) => expect(tenant(text)).toBe('Ana Brook'));

test.each(['the, ', ', ', '“', 'the ,, '])('a bracket with many “%s” is read at once', (words) =>
  expect(tenant(`Ana Brook (${words.repeat(2_000)}z`)).toBe(null),
);
