/** Signs a one-page PDF digitally, with a certificate made on the spot. */

import { Integer, ObjectIdentifier, OctetString, PrintableString } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  AttributeTypeAndValue,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';

const holeBytes = 4096;
const dataType = '1.2.840.113549.1.7.1';

/** A page with two signature fields, of which the first one's value is still to be signed. */
function unsignedPdf(): { text: string; hole: number } {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R]/SigFlags 3>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Annots[4 0 R 5 0 R]>>',
    '<</Type/Annot/Subtype/Widget/FT/Sig/T(Director)/V 6 0 R/P 3 0 R/Rect[60 100 220 150]>>',
    '<</Type/Annot/Subtype/Widget/FT/Sig/T(Witness)/P 3 0 R/Rect[300 100 460 150]>>',
    `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/M(D:20260314153012+08'00')/ByteRange[0000000000 0000000000 0000000000 0000000000]/Contents<${'0'.repeat(2 * holeBytes)}>>>`,
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\nstartxref\n${start}\n%%EOF\n`;
  return { text, hole: text.indexOf('/Contents<') + '/Contents'.length };
}

async function makeCertificate(name: string): Promise<{ certificate: Certificate; key: CryptoKey }> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
  };
  const { privateKey, publicKey } = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = new Certificate();
  certificate.version = 2;
  certificate.serialNumber = new Integer({ value: 7 });
  const part = (): AttributeTypeAndValue =>
    new AttributeTypeAndValue({ type: '2.5.4.3', value: new PrintableString({ value: name }) });
  certificate.issuer.typesAndValues.push(part());
  certificate.subject.typesAndValues.push(part());
  certificate.notBefore.value = new Date('2026-01-01');
  certificate.notAfter.value = new Date('2036-01-01');
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(privateKey, 'SHA-256');
  return { certificate, key: privateKey };
}

async function signDetached(data: Uint8Array, name: string): Promise<Uint8Array> {
  const { certificate, key } = await makeCertificate(name);
  const digest = await crypto.subtle.digest('SHA-256', Buffer.from(data));
  const attributes = [
    new Attribute({ type: '1.2.840.113549.1.9.3', values: [new ObjectIdentifier({ value: dataType })] }),
    new Attribute({ type: '1.2.840.113549.1.9.4', values: [new OctetString({ valueHex: digest })] }),
  ];
  const message = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: dataType }),
    signerInfos: [
      new SignerInfo({
        version: 1,
        sid: new IssuerAndSerialNumber({
          issuer: certificate.issuer,
          serialNumber: certificate.serialNumber,
        }),
        digestAlgorithm: new AlgorithmIdentifier({ algorithmId: '2.16.840.1.101.3.4.2.1' }),
        signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
      }),
    ],
    certificates: [certificate],
  });
  await message.sign(key, 0, 'SHA-256');
  const info = new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: message.toSchema(true) });
  return new Uint8Array(info.toSchema().toBER(false));
}

/** The field `Director` is signed by `signer`, `Witness` is not. */
export async function signedPdf(signer: string): Promise<Uint8Array> {
  const { text, hole } = unsignedPdf();
  const end = hole + 2 * holeBytes + 2;
  const range = [0, hole, end, text.length - end].map((value) => String(value).padStart(10, '0')).join(' ');
  const file = Buffer.from(text.replace(/\/ByteRange\[[\d ]+\]/, `/ByteRange[${range}]`), 'latin1');
  const signature = await signDetached(Buffer.concat([file.subarray(0, hole), file.subarray(end)]), signer);
  file.write(Buffer.from(signature).toString('hex'), hole + 1, 'latin1');
  return file;
}
