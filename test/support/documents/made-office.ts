/** Small office, mail, web and text files of every kind that is read, made on the spot. */
import { strToU8, unzipSync, zipSync } from 'fflate';
import type { FuzzSeed } from './fuzz.ts';
import { type MadeMail, madeMsg } from './made-msg.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

export const zipped = (parts: Record<string, string>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));

/** @param body WordprocessingML inside `w:body` */
export const madeDocx = (body: string, more: Record<string, string> = {}): Uint8Array =>
  zipped({
    'word/document.xml': `${declaration}<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    'word/styles.xml': `<w:styles xmlns:w="w"><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style></w:styles>`,
    'word/numbering.xml':
      '<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>' +
      '<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%2)"/></w:lvl></w:abstractNum>' +
      '<w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="•"/></w:lvl></w:abstractNum>' +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>',
    ...more,
  });

const run = (text: string, properties = ''): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;
export const wordParagraph = (text: string, properties = '', runProperties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${run(text, runProperties)}</w:p>`;
export const wordItem = (text: string, list: number, level = 0): string =>
  wordParagraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);

export const madeXlsx = (): Uint8Array =>
  zipped({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="Sales" sheetId="1" r:id="rId1"/><sheet name="Secret" sheetId="2" state="hidden" r:id="rId2"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="t/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="t/worksheet" Target="worksheets/sheet2.xml"/></Relationships>',
    'xl/sharedStrings.xml': '<sst><si><t>Date</t></si><si><r><t>Am</t></r><r><t>ount</t></r></si></sst>',
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml':
      '<worksheet><sheetData><row r="2"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row>' +
      '<row r="3"><c r="B3" s="1"><v>46100</v></c><c r="C3"><v>12.300000000000001</v></c></row></sheetData></worksheet>',
    'xl/worksheets/sheet2.xml':
      '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>margin 40%</t></is></c></row></sheetData></worksheet>',
  });

export const madePptx = (): Uint8Array =>
  zipped({
    'ppt/presentation.xml':
      '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>',
    'ppt/_rels/presentation.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="t/slide" Target="slides/slide1.xml"/></Relationships>',
    'ppt/slides/slide1.xml':
      '<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Ship in May</a:t></a:r></a:p></p:txBody></p:sp>' +
      '<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Plan</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>',
  });

export const madeOdt = (): Uint8Array =>
  zipped({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml':
      '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:text><text:h text:outline-level="2">Title</text:h>' +
      '<text:p>One<text:s text:c="2"/>line</text:p><text:list><text:list-item><text:p>Item</text:p></text:list-item></text:list>' +
      '<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>' +
      '</office:text></office:body></office:document-content>',
  });

export const madeOds = (): Uint8Array =>
  zipped({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'content.xml':
      '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:table="b"><office:body><office:spreadsheet><table:table table:name="Data">' +
      '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16000"/></table:table-row>' +
      '<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>7</text:p></table:table-cell></table:table-row>' +
      '</table:table></office:spreadsheet></office:body></office:document-content>',
  });

export const madeOdp = (): Uint8Array =>
  zipped({
    mimetype: 'application/vnd.oasis.opendocument.presentation',
    'content.xml':
      '<office:document-content xmlns:office="o" xmlns:text="t" xmlns:draw="d" xmlns:presentation="p"><office:body><office:presentation><draw:page draw:name="One">' +
      '<draw:frame presentation:class="title"><draw:text-box><text:p>Plan</text:p></draw:text-box></draw:frame>' +
      '<draw:frame><draw:text-box><text:list><text:list-item><text:p>Ship in May</text:p></text:list-item></text:list></draw:text-box></draw:frame>' +
      '</draw:page></office:presentation></office:body></office:document-content>',
  });

/** Mails in each other, `depth` of them, the innermost with this file. */
const mailNest = (depth: number, [name, bytes]: [string, Uint8Array]): Uint8Array =>
  Array.from({ length: depth }).reduce<[string, Uint8Array]>(
    (inner, _, index) => [`mail-${index}.eml`, madeEml([inner])],
    [name, bytes],
  )[1];

/** An archive in an archive, `depth` of them. */
const archiveNest = (depth: number, [name, bytes]: [string, Uint8Array]): Uint8Array =>
  Array.from({ length: depth }).reduce<Uint8Array>(
    (inner, _, index) => zipSync({ [index === 0 ? name : `archive-${index}.zip`]: inner }),
    bytes,
  );

/** @param attached name and content of a file in it */
export const madeEml = (attached: [name: string, bytes: Uint8Array][] = []): Uint8Array =>
  Buffer.from(
    [
      'From: =?utf-8?B?SsO8cmdlbg==?= <j@example.com>',
      'To: siti@example.com',
      'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b1"',
      '',
      '--b1',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '<p>Caf=C3=A9 at <b>noon</b></p>',
      ...attached.flatMap(([name, bytes]) => [
        '--b1',
        `Content-Type: application/octet-stream; name="${name}"`,
        'Content-Transfer-Encoding: base64',
        `Content-Disposition: attachment; filename="${name}"`,
        '',
        Buffer.from(bytes).toString('base64'),
      ]),
      '--b1--',
      '',
    ].join('\r\n'),
  );

export const madeHtml = (body: string): Uint8Array =>
  Buffer.from(`<!doctype html><html><head><title>t</title></head><body>${body}</body></html>`);

function msgNest(depth: number, innermost: Uint8Array): MadeMail {
  let mail: MadeMail = { subject: 'last', body: 'the last one', files: [['in.docx', innermost]] };
  for (let at = 0; at < depth; at++) mail = { subject: `mail ${at}`, body: 'as attached', mails: [mail] };
  return { ...mail, files: [['beside.msg', madeMsg({ subject: 'beside', body: 'a file' })]] };
}

export function madeOfficeFiles(): FuzzSeed[] {
  const docx = madeDocx(
    wordParagraph('Title', '<w:pStyle w:val="H1"/>') +
      wordItem('One', 1) +
      '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>',
  );
  return [
    { name: 'made.docx', bytes: docx },
    { name: 'made.xlsx', bytes: madeXlsx() },
    { name: 'made.pptx', bytes: madePptx() },
    { name: 'made.odt', bytes: madeOdt() },
    { name: 'made.ods', bytes: madeOds() },
    { name: 'made.odp', bytes: madeOdp() },
    { name: 'made.eml', bytes: madeEml([['in.eml', madeEml([['in.docx', docx]])]]) },
    { name: 'nest.eml', bytes: mailNest(12, ['in.docx', docx]) },
    { name: 'many.eml', bytes: madeEml(Array.from({ length: 30 }, (_, at) => [`${at}.docx`, docx])) },
    {
      name: 'archives.eml',
      bytes: madeEml([
        ['in.zip', archiveNest(6, ['in.docx', docx])],
        ['in.docx', zipSync({ ...unzipSync(docx), 'word/embeddings/in.docx': docx })],
      ]),
    },
    {
      name: 'made.msg',
      bytes: madeMsg({
        subject: 'Grüße',
        body: 'Café at noon',
        files: [
          ['in.docx', docx],
          ['in.eml', madeEml([['in.odp', madeOdp()]])],
        ],
      }),
    },
    { name: 'nest.msg', bytes: madeMsg(msgNest(12, docx)) },
    {
      name: 'made.html',
      bytes: madeHtml(
        '<h1>A</h1><ul><li>b<ul><li>c</ul></ul><table><tr><td colspan=2>d<tr><td>e<td>f</table>',
      ),
    },
    { name: 'made.csv', bytes: Buffer.from('a,b,c\n1,"x, ""y""",3\n4,5,6\n') },
    { name: 'made.md', bytes: Buffer.from('# A\n\n- b\n\n| c | d |\n|---|---|\n| 1 | 2 |\n') },
  ];
}
