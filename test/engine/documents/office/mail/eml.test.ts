/** Parts of mails that are not read are told; signatures are none. */
import { expect, test } from 'vitest';
import { readEml } from '../../../../../server/engine/documents/office/mail/read-eml.ts';

const mail = (type: string, body: string) =>
  readEml(Buffer.from(`From: a@x.com\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n${body}`));

test.each(['multipart/mixed', 'multipart/mixed; boundary=other'])('%s without its pieces is told', (type) => {
  expect(mail(type, '\r\n--b\r\n\r\nhello\r\n--b--').warnings.join()).toContain('left out');
});

test('a signature is no attached file, a sealed mail is one', () => {
  expect(mail('application/pkcs7-signature; name=smime.p7s', '\r\nQWxp').attachments).toEqual([]);
  expect(mail('application/pkcs7-mime; name=smime.p7m', '\r\nQWxp').attachments).toHaveLength(1);
});

test.each(['"base64"', 'BASE64 (of a gateway)'])('encoding %s is decoded', (encoding) => {
  const flow = mail('text/plain', `Content-Transfer-Encoding: ${encoding}\r\n\r\nQWhtYWQ=`);
  expect(JSON.stringify(flow.sections)).toContain('Ahmad');
});
