/** Texts to begin with: the same thoughts in three languages, and lines worth searching. */
export const compareSample = `Good morning, how are you?
Selamat pagi, apa khabar?
早上好,你好吗?
The invoice is due on Friday.
Invois perlu dibayar pada hari Jumaat.
发票星期五到期。
The cat sleeps on the sofa.`;

export const searchSample = `Refunds are paid to the original card within five working days.
To reset your password, choose “Forgot password” on the sign-in page.
Our office in Kuala Lumpur is open from nine to six, Monday to Friday.
Parcels to Sabah and Sarawak take three to seven days.
Penghantaran percuma untuk pembelian melebihi RM100.
Sila simpan resit untuk tuntutan waranti.
您可以在订单页面下载发票。
会员积分在十二个月后失效。
Annual leave must be approved by your manager two weeks ahead.
The server keeps no copy of the documents it reads.`;
