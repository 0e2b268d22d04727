/** Licences of the parts of Lokal, as the console shows them. */
import { type Static, Type } from 'typebox';

export const LicensedPart = Type.Object(
  { name: Type.String(), version: Type.String(), licence: Type.String({ description: 'SPDX' }) },
  { title: 'LicensedPart' },
);
export type LicensedPart = Static<typeof LicensedPart>;

export const LicenceList = Type.Object({ data: Type.Array(LicensedPart) }, { title: 'LicenceList' });

export const LicenceText = Type.Object(
  { text: Type.String({ description: 'Notices and licence texts of the part.' }) },
  { title: 'LicenceText' },
);
