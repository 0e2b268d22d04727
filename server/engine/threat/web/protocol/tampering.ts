/** Parameters and file names that somebody changed by hand to see what happens. */
import type { WebRequest } from '../request/web-request.ts';

/** Parameters that hold a number in every application. */
const NUMBER_NAME =
  /(?:^|[_.-])(?:ids?|num|number|numero|page|pagina|limit|offset|count|qty|quantity|cantidad|jumlah|amount|price|precio|harga|year|month|cp|zip|postcode|cid|pid|uid|tid|catid|per_page|dni|nif|nie|ntc|cvv|card_?number)$|^[a-z]{2,12}id$/iu;
/** A number with a mark behind it, or one that is no separator within it. */
const CHANGED_NUMBER =
  /^-?\d[\d.,]{0,30}[a-z]?(?:[/|;<>\\($*`'"%&^]{1,4}|[^a-z\d/|;,.:\s*+-]*['"`<>\\$^][^a-z]{0,20})$|^-?\d{40,}/u;

/** Neither is a switch that somebody added a mark to. */
const CHANGED_SWITCH = /^(?:on|off|true|false)[/|;<>\\($*`'"%^]{1,3}$/u;

/** Lists end in commas, ranges in dots: neither is looked for. */
export function isChangedNumber({ values }: WebRequest): boolean {
  return values.some(
    (value) =>
      (value.place === 'value' || value.place === 'body') &&
      ((NUMBER_NAME.test(value.name) && CHANGED_NUMBER.test(value.plain)) ||
        CHANGED_SWITCH.test(value.plain)),
  );
}

const RUN = /(.)\1{199}/su;

/** One character again and again: looking for a buffer that is too short. */
export function isFlooded({ values }: WebRequest): boolean {
  return values.some(
    ({ place, plain, raw }) =>
      (place === 'value' || place === 'name' || place === 'path') &&
      raw.length >= 200 &&
      RUN.test(plain.replaceAll(' ', '')),
  );
}

const FORMAT = /(?:%(?:\d{1,4}\$)?[snxp]){3}/u;

/** Directives of C's printf, one behind the other. */
export function isFormatString({ values }: WebRequest): boolean {
  return values.some(({ place, plain }) => (place === 'value' || place === 'body') && FORMAT.test(plain));
}

/** The source of a page, not its output: a copy an editor or a person left beside it, or a name that slips past the handler. */
const SOURCE_PROBE =
  /\.(?:jspx?|php\d?|phtml|aspx?|cgi|pl|py|rb|do|action|cfm|html?|js|css|inc)(?:\.[a-z0-9_-]{1,8}|~|[ .]+|::\$\w+|[%_](?:old|bak|copy|save|orig)|\.?\d)$|\.(?:java|class|jsp_)$|[_-](?:backup|bak|old|copia|orig)\.(?:jspx?|php\d?|aspx?|html?)$|\/(?:copy(?:%20| )of|copia(?:%20| )de|copy_of_|old_|bak_)[^/]*$/u;
/** Ends of names that are built so: assets with a hash, localized pages, source maps, compressed copies. */
const BUILT = /\.(?:js|css|html?)\.(?:map|gz|br|zst|en|ms|zh|twig|erb|j2|txt|json|jsx?|s?css)$/u;

export function isSourceProbe({ values }: WebRequest): boolean {
  return values.some(
    ({ place, plain }) => place === 'path' && SOURCE_PROBE.test(plain) && !BUILT.test(plain),
  );
}
