/** A page of nothing but lines, one operator each. */
export function linesPdf(count: number): Buffer {
  const stream = '0 0 m 500 500 l S\n'.repeat(count);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
  ].map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`);
  return Buffer.from(`%PDF-1.4\n${objects.join('')}trailer << /Root 1 0 R /Size 5 >>\n%%EOF`);
}
