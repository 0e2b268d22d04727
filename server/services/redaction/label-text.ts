/** Headings and labels of papers, which a classifier of names takes for persons. Pure. */

/** In the three languages; a text of nothing else is no person's. */
const labelWords = new Set(
  `tax invoice receipt quotation statement delivery order note proforma credit debit official original copy page number no
  date due issued issue bill billed to from ship sold by for and of the total subtotal sub amount balance paid payment terms
  bank account name address phone tel fax email website registration reg company customer client supplier vendor buyer seller
  description item items quantity qty unit price rate discount sst gst vat service charge currency reference ref purchase po
  invois resit cukai tarikh jumlah kepada daripada nama alamat nombor bil bayaran akaun pelanggan harga kuantiti keterangan
  swift code iban tin signature authorised authorized signatory received prepared approved attention attn remarks`
    .split(/\s+/)
    .filter(Boolean),
);

/** “TAX INVOICE”, “Invoice Date”, “Bill To:”: what a paper says of itself. */
export function isLabelText(text: string): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return words.length > 0 && !/\d/.test(text) && words.every((word) => labelWords.has(word));
}
