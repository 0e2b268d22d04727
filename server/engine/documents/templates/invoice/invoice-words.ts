/**
 * Words of invoices and receipts in English, Malay, Chinese, German, French, Dutch and Polish.
 *
 * Patterns are tried in order; the first that matches a piece decides, so the surer and longer ones stand first.
 */

import type { LabelRule } from '../../fields/labelled.ts';

const number = String.raw`(?:no|nos|nr|num|number|nummer|#|n[°º]|numéro|nombor|bil|numer|号码|编号|号)\.?(?!\p{L})`;

export const invoiceNumberLabels: LabelRule[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:tax\s+)?(?:invoice|inv|e-invoice)\.?\s*(?:id|ref(?:erence)?|${number})`,
      'iu',
    ),
    strength: 1,
  },
  { pattern: /\b(?:no|nombor)\.?\s*(?:invois|inbois)\b/iu, strength: 1 },
  { pattern: /\b(?:invois|inbois)\s*(?:no|nombor)\.?/iu, strength: 1 },
  { pattern: /\brechnungs?-?\s*(?:nr|nummer|no)\b\.?/iu, strength: 1 },
  {
    pattern:
      /\b(?:num[ée]ro|n[°º])\s*(?:de\s+)?(?:la\s+)?facture\b|\bfacture\s*(?:n[°º]|no\.?|num[ée]ro|nr)/iu,
    strength: 1,
  },
  { pattern: /\bfactuur\s?-?(?:nummer|nr|no)\b\.?/iu, strength: 1 },
  { pattern: /\b(?:numer|nr)\s+faktury\b|\bfaktura\s+(?:vat\s+)?(?:nr|numer)\b\.?/iu, strength: 1 },
  { pattern: /发票(?:号码|编号|号)|單據編號|单据编号/u, strength: 1 },
  {
    pattern: new RegExp(
      String.raw`\b(?:receipt|bill|cash\s*bill|cash\s*sales?|c\.?bill|slip|check|chk|credit\s*note|debit\s*note|statement)\s*${number}`,
      'iu',
    ),
    strength: 0.92,
  },
  { pattern: /\b(?:no|nombor)\.?\s*(?:resit|bil)\b/iu, strength: 0.92 },
  {
    pattern: new RegExp(
      String.raw`\b(?:doc(?:ument)?|bon|beleg|trans(?:action)?|trx|sales)\s*${number}`,
      'iu',
    ),
    strength: 0.85,
  },
  {
    pattern:
      /^\s*(?:tax\s+)?(?:invoice|invois|rechnung|facture|factuur|faktura)\s+(?=\p{Lu}{0,6}[-/]?\d[\w/-]{2,}\s*$)/iu,
    strength: 0.9,
  },
  { pattern: /^\s*(?:tax\s+)?(?:invoice|invois|rechnung|facture|factuur|faktura)\s*[:#]/iu, strength: 0.85 },
  { pattern: /^\s*(?:no|ref(?:erence)?)\.?\s*(?:no\.?)?\s*[:#]/iu, strength: 0.6 },
];

export const invoiceDateLabels: LabelRule[] = [
  {
    pattern:
      /\b(?:invoice|inv\.?|bill|receipt|issue|doc(?:ument)?|tax)\s*date\b|\bdate\s+(?:of\s+)?(?:issue|invoice)\b/iu,
    strength: 1,
  },
  { pattern: /\btarikh\s*(?:invois|inbois|resit|bil)?\b/iu, strength: 1 },
  { pattern: /\brechnungsdatum\b|\bbelegdatum\b/iu, strength: 1 },
  { pattern: /\bdate\s+(?:de\s+)?(?:la\s+)?(?:facture|facturation|d['’]émission)\b/iu, strength: 1 },
  { pattern: /\bfactuurdatum\b/iu, strength: 1 },
  { pattern: /\bdata\s+(?:wystawienia|faktury|sprzedaży)\b/iu, strength: 1 },
  { pattern: /开票日期|发票日期|日期/u, strength: 1 },
  { pattern: /\bfacture\s*n[°º]\s*\S+\s+du\b/iu, strength: 0.95 },
  {
    pattern:
      /(?<!due |delivery |order |expiry |value |payment |ship |from |until )\b(?:date|datum|data)\b(?!\s*(?:limite|d['’]échéance|de\s+livraison|range|due))/iu,
    strength: 0.85,
  },
];

export const dueDateLabels: LabelRule[] = [
  {
    pattern:
      /\b(?:payment\s+)?due\s*(?:date|by|on)?\b(?!\s*:?\s*(?:amount|balance))|\bpay(?:able|ment)?\s+(?:by|before)\b/iu,
    strength: 0.95,
  },
  { pattern: /\btarikh\s+(?:akhir|matang|tamat)(?:\s+bayaran)?\b|\bbayar\s+sebelum\b/iu, strength: 1 },
  {
    pattern: /\bzahlungsziel\b|\bfällig(?:keit(?:sdatum)?)?(?:\s+(?:am|bis))?\b|\bzahlbar\s+bis\b/iu,
    strength: 1,
  },
  {
    pattern: /\bdate\s+(?:limite(?:\s+de\s+paiement)?|d['’]échéance)(?:\s+le)?\b|\béchéance\b/iu,
    strength: 1,
  },
  { pattern: /\bvervaldatum\b|\bte\s+betalen\s+voor\b|\buiterste\s+betaaldatum\b/iu, strength: 1 },
  { pattern: /\btermin\s+(?:płatności|zapłaty)\b/iu, strength: 1 },
  { pattern: /到期日|付款期限|付款日期/u, strength: 1 },
];

export const purchaseOrderLabels: LabelRule[] = [
  {
    pattern: new RegExp(
      String.raw`\b(?:purchase\s+order|p\.?o\.?|your\s+order|customer\s+order)\s*(?:ref\.?|${number})`,
      'iu',
    ),
    strength: 1,
  },
  {
    pattern:
      /\b(?:purchase\s+order|pesanan\s+belian|no\.?\s*pesanan|bestellnummer|bestell-?nr|numéro\s+de\s+commande|n[°º]\s*(?:de\s+)?commande|bon\s+de\s+commande|ordernummer|numer\s+zamówienia|nr\s+zamówienia)\b\.?/iu,
    strength: 0.95,
  },
  { pattern: /采购订单号?|订单(?:号码|编号|号)/u, strength: 0.95 },
  { pattern: new RegExp(String.raw`\border\s*(?:id|${number})`, 'iu'), strength: 0.8 },
];

/** Kinds of amounts at the foot of an invoice. */
export type AmountKind =
  | 'total'
  | 'subtotal'
  | 'tax'
  | 'discount'
  | 'rounding'
  | 'paid'
  | 'change'
  | 'service_charge'
  | 'shipping';

interface AmountRule {
  kind: AmountKind;
  pattern: RegExp;
  strength: number;
}

/** Lines that look like amounts of the whole but are not. */
export const notAmounts =
  /\b(?:total\s*)?(?:qty|quantity|items?|pcs|units?|points?|kuantiti|saving|savings|you\s+saved|weight|pax|hours|opening|previous|summary|tax\s*code)\b|\bno\.?\s+of\b|件数|数量|in\s+words|słownie/iu;

export const amountRules: AmountRule[] = [
  {
    kind: 'total',
    pattern:
      /\btotal\s+(?:amount\s+|sales?\s+)?(?:after\s+|aft\s+)?round|\bround\s?\w*\s+total\b|\brounded\b/iu,
    strength: 1,
  },
  {
    kind: 'rounding',
    pattern:
      /\bround(?:ing|\s*d\s*ing)?\b(?!.*\btotal\b)|\brour\s?ding\b(?!.*\btotal\b)|\brnd\s*adj|\bpelarasan\b|\bpembundaran\b|\bpenggenapan\b|舍入|四舍五入/iu,
    strength: 1,
  },
  {
    kind: 'change',
    pattern:
      /\bchange\b(?!s)|\bbaki\b|\bwechselgeld\b|\brückgeld\b|\bmonnaie\s+rendue\b|\bwisselgeld\b|\breszta\b|找零|找续/iu,
    strength: 1,
  },
  {
    kind: 'discount',
    pattern:
      /\bdiscount\b|\bdisc\.?\b|\bdiskaun\b|\brabatt?\b|\bremise\b|\bréduction\b|\bkorting\b|\brabat\b|折扣|优惠/iu,
    strength: 1,
  },
  {
    kind: 'service_charge',
    pattern: /\bserv(?:ice)?\.?\s*ch(?:arge|rg|g)\b|\bsvc\.?\s*ch|\bcaj\s+perkhidmatan|服务费/iu,
    strength: 1,
  },
  {
    kind: 'shipping',
    pattern:
      /\bshipping\b|\bdelivery\s+(?:fee|charge)|\bfreight\b|\bpostage\b|\bpenghantaran\b|\bversand(?:kosten)?\b|\bfrais\s+(?:de\s+port|d['’]expédition)\b|\bverzendkosten\b|运费/iu,
    strength: 1,
  },
  {
    kind: 'subtotal',
    pattern:
      /\bsub[\s-]?tota(?:l|al)s?\b|\bsous[\s-]total\b|\bjumlah\s+kecil\b|\bsub\s?jumlah\b|\bzwischensumme\b|\bsuma\s+częściowa\b|小计/iu,
    strength: 1,
  },
  {
    kind: 'subtotal',
    pattern:
      /\b(?:total|amount|sales|amt)\b.{0,16}\b(?:excl|exc|excluding|before|w\/o|without)\b.{0,12}(?:tax|gst|sst|vat|btw|mwst)?|\bexclusief\s+btw\b|\btotaal\s+excl|\btaxable\s+(?:amount|value)\b|\bnet\s+(?:amount|total)\b|\buntaxed\s+amount\b|\bgross\s+am(?:oun)?t\b/iu,
    strength: 0.95,
  },
  {
    kind: 'subtotal',
    pattern:
      /\b(?:total|montant)\s+h\.?t\.?(?!\p{L})|\bnetto(?:betrag|summe)?\b|\bgesamt\s+netto\b|\b(?:razem|wartość|suma)\s+netto\b|\bsebelum\s+cukai\b|不含税|税前/iu,
    strength: 0.95,
  },
  {
    kind: 'total',
    pattern:
      /\bgrand\s+total\b|\b(?:rounded|nett|final|invoice|bill|order)\s+total\b|\bround\s?\w?\s+total\b|\btotal\s+(?:amount\s+)?(?:rounded|payable|due|to\s+pay|for\s+this\s+invoice)\b|\btotal\s+round/iu,
    strength: 1,
  },
  {
    kind: 'total',
    pattern:
      /\b(?:total|amount|sales|amt)\b.{0,20}\b(?:incl(?:usive|uding|udes?|\.)?|inc|with)\b|\btotaal\s+incl|\btotal\s+t\.?t\.?c\.?(?!\p{L})|\bnet\s+à\s+payer\b|\b(?:somme|montant|total)\s+(?:total\s+)?à\s+payer\b/iu,
    strength: 1,
  },
  {
    kind: 'total',
    pattern:
      /\bjumlah\s+(?:besar|keseluruhan|perlu\s+dibayar|bayaran|akhir)\b|\bamaun\s+perlu\s+dibayar\b|\b(?:gesamtbetrag|rechnungsbetrag|gesamtsumme|endbetrag|zahlbetrag|gesamt\s+brutto)\b|\bzu\s+zahlen/iu,
    strength: 1,
  },
  {
    kind: 'total',
    pattern:
      /\b(?:te\s+betalen|totaalbedrag|eindtotaal|factuurbedrag)\b|\bdo\s+zapłaty\b|\bnależność\s+ogółem\b|\b(?:razem|wartość|suma)\s+brutto\b|价税合计|应付(?:金额|总额)|总(?:计|额|金额)|合计/iu,
    strength: 1,
  },
  {
    kind: 'total',
    pattern:
      /\btotal\s+(?:amount|amt|sales?|facture)\b|\bamount\s+(?:due|payable)\b|\bbalance\s+due\b|\bamount\s+to\s+(?:be\s+)?pa(?:y|id)\b/iu,
    strength: 0.95,
  },
  {
    kind: 'paid',
    pattern:
      /\b(?:amount\s+)?paid\b|\bpayment\s+received\b|\bcash\b(?!\s*(?:bill|sales?|memo|invoice))|\bdeposit\b|\btendered\b|\b(?:visa|master(?:card)?|credit\s*card|debit\s*card|mydebit|e-?wallet)\b|\btunai\b|\btelah\s+dibayar\b|\bbezahlt\b|\banzahlung\b|\bgegeben\b|\bpayé(?!\p{L})|\bacompte\b|\bbetaald\b|\bzapłacono\b|已付|现金/iu,
    strength: 1,
  },
  { kind: 'total', pattern: /^\W*(?:due|nett|net\s+amt|to\s*pay)\b/iu, strength: 0.8 },
  {
    kind: 'tax',
    pattern:
      /\b(?:sst|gst|vat|tax|service\s+tax|sales\s+tax|cukai|mwst|ust|mehrwertsteuer|umsatzsteuer|tva|btw|podatek)\b(?!\s*(?:invoice|id|reg|no\b|summary|code|number|inclusive|included|inclus))|(?:增值)?税额|税金|消费税/iu,
    strength: 0.95,
  },
  {
    kind: 'total',
    pattern: /\btotaa?l\b|\bjumlah\b|\bsumme\b|\bgesamt\b|\brazem\b|\bsuma\b|\bbrutto\b|总数/iu,
    strength: 0.8,
  },
];

/** Headings of line-item columns. */
export type ItemColumn =
  | 'description'
  | 'quantity'
  | 'unit'
  | 'unit_price'
  | 'amount'
  | 'tax'
  | 'tax_rate'
  | 'discount'
  | 'code'
  | 'number'
  | 'date';

export const itemColumns: [ItemColumn, RegExp][] = [
  ['number', /^(?:#|no\.?|item\s*no\.?|pos\.?|position|lp\.?|bil\.?|s\/?n|序号)$/iu],
  [
    'code',
    /^(?:item\s*code|product\s*code|code|kod|sku|article\s*no\.?|art\.?-?(?:nr|no)\.?|artikelnummer|référence|réf\.?|ref\.?|kode|upc(?:\s*code)?|编码|货号)$/iu,
  ],
  ['date', /^(?:date|tarikh|datum|data|日期)$/iu],
  ['unit', /^(?:unit|uom|u\/m|jm|einheit|unité|eenheid|unit\s+ukuran|单位)$/iu],
  [
    'unit_price',
    /^(?:(?:unit|item)\s*(?:price|cost|rate)|[us]\/?price|price(?:\s*\/?\s*(?:unit|each))?|rate|vk-preis.*|einzelpreis.*|preis.*|stückpreis.*|prix(?:\s+unitaire)?.*|p\.?\s?u\.?.*|prijs(?:\s+per\s+stuk)?|stukprijs|cena.*|harga(?:\s+seunit|\/unit)?.*|单价.*)$/iu,
  ],
  [
    'amount',
    /^(?:(?:line\s*|net\s*|total\s*)?(?:amount|amt|total|price\s+total|value)|(?:extended\s+)?price\s*\(?total\)?|zeilenbetrag.*|gesamt(?:preis|betrag)?.*|betrag.*|summe|montant.*|total\s+h\.?t\.?|prijs\s+incl.*|bedrag.*|totaal.*|subtotaal|wartość.*|jumlah.*|amaun.*|金额|总价|小计)(?:\s*\(?(?:rm|myr|usd|eur|€|\$|pln|zł)\)?)?$/iu,
  ],
  [
    'tax_rate',
    /^(?:(?:sst|gst|vat|tax|mwst|ust|tva|btw|cukai)[.\s]*(?:rate)?\s*\(?[%[]\]?%?\]?\)?|%\s*(?:tva|vat|tax|gst|sst|mwst|btw)|vat\s*\[%\]|税率)$/iu,
  ],
  [
    'tax',
    /^(?:sst|gst|vat|tax(?:es)?(?:\s+amount)?|mwst\.?|ust\.?|tva|btw|kwota\s+vat|cukai|税额)(?:\s*\(?(?:rm|myr)\)?)?$/iu,
  ],
  [
    'discount',
    /^(?:disc(?:ount)?\.?|diskaun|rabatt.*|remise.*|korting.*|rabat.*|wartość\s+rabatu|折扣)(?:\s*\(?(?:rm|%)\)?)?$/iu,
  ],
  [
    'quantity',
    /^(?:qty\.?|quantity|q'ty|menge|anzahl|quantité|qté|nombre|aantal|ilość.*|kuantiti|kuant\.?|hours|hrs|数量)$/iu,
  ],
  [
    'description',
    /^(?:(?:item\s*)?description(?:\s+of\s+(?:goods|services?))?(?:.*)?|items?|particulars?|details?|products?|services?|goods|artikel|beschreibung|bezeichnung|leistung|d[ée]signation|libellé|description.*|omschrijving|nazwa(?:\s+towaru.*)?|keterangan|perihal|butiran|barang|品名|描述|项目|商品(?:名称)?|货物.*)$/iu,
  ],
];

/** Suffixes and words of company names. */
export const companyWords =
  /\bsdn\.?\s*\.?\s*b[hn]+d\b|\bberhad\b|\bbhd\b|\bs\/b\b|\bsb\b(?=\s*(?:\(|\d{4}|$))|\b(?:pte\.?\s*)?ltd\b|\blimited\b|\bl\.?l\.?c\b|\binc\b\.?|\bcorp(?:oration)?\b|\bgmbh\b|\bplc\b|\bag\b$|\bb\.?v\.?(?=\s|$|,)|\bn\.?v\.?$|\bs\.?a\.?r\.?l\b|\bsas\b|\bs\.?a\.?$|\bsp\.?\s*z\s*o\.?\s*o|\bspółka\b|\b(?:plt|llp)\b|\bpt\.?\s(?!\s*\d)|有限公司|公司$/iu;

export const shopWords =
  /\b(?:enterprise|trading|restaurant|restoran|cafe|kedai|perniagaan|hardware|pharmacy|farmasi|supermarket|hypermarket|mart|stationery|bakery|kopitiam|bookstore|hotel|clinic|klinik|motor|services?|industries|holdings?|resources|company|corner|house|bistro|station|centre|center|electrical|machinery|gifts?|deco)\b/iu;

export const buyerLabels =
  /^(?:bill(?:ed)?\s*to(?:\s*address)?|sold\s*to|invoice\s*to|invoiced\s*to|customer(?:\s*name)?|client|attn\.?\s*to|buyer|ship\s*to|to|kepada|dijual\s+kepada|pelanggan|nama\s+pelanggan|rechnungs(?:empfänger|adresse)|kunde|an|facturé\s+à|adresse\s+de\s+facturation|factuuradres|klant|aan|nabywca|购买方|客户(?:名称)?|买方|nom\s+de\s+l['’]abonné)\s*(?:[:：]|$)/iu;

export const sellerLabels =
  /^(?:from|seller|sold\s*by|supplier|vendor|issued\s+by|service\s+provider|penjual|pembekal|daripada|verkäufer|lieferant|absender|vendeur|fournisseur|émetteur|verkoper|leverancier|sprzedawca|销售方|卖方)\s*(?:[:：]|$)/iu;
