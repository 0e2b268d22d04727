/** Every limit of document parsing in one place. */

import { availableParallelism } from 'node:os';
import { maxPages } from '../page-range.ts';

/**
 * Pages read beside each other: a second one fills the time in which the first waits for the networks. Two processors
 * are busy with one page, and gain less than the 200 MB that the second takes.
 */
export const pagesAtOnce = availableParallelism() >= 4 ? 2 : 1;

/**
 * The time that a page may take over all of its stages, less the networks' time: what is left to do then is left out, with a warning.
 * pdf.js can be stopped between two batches only, so it is less than the thread's own limit.
 */
export const pageBudgetMs = 12_000;

/** A document that takes longer is answered with the pages read by then; the server waits five minutes. */
export const documentBudgetMs = 240_000;

/** A page that takes longer is given up: the thread that parses it is ended and the caller gets document_unreadable. */
export const pageTimeoutMs = 20_000;

/** Opening a document: cross-reference repair of a large damaged file is the slow case. */
export const openTimeoutMs = 30_000;

/**
 * Advice for whoever supervises the host: no call can last longer than opening plus twenty pages, so a host that
 * is silent beyond this is broken and may be killed.
 */
export const deadlineMs = openTimeoutMs + maxPages * pageTimeoutMs;

/** Resident memory of the host at which the running document is given up (the promise to users is 1.5 GB). */
export const maxHostResidentBytes = 1_250_000_000;

/**
 * A host that earlier documents left above the first figure is replaced before the next one. A document that needed too much in
 * one above the second is tried again in another: an open host with its networks loaded stays below.
 */
export const maxResidentBytesToBegin = 900_000_000;
export const maxResidentBytesToRefuse = 600_000_000;

/** A second thread opens where two processors are, and where the host has so much left. */
export const minSecondThreadProcessors = 2;
export const maxResidentBytesForSecondThread = 800_000_000;

/** The thread of small documents is given up later than the other: it is rarely the one that grew. */
export const maxHostResidentBytesOfSmall = 1_350_000_000;

/** V8's heap of the parsing thread, in MB; beyond it the thread ends, the host lives. */
export const maxThreadHeapMb = 900;

/** A content stream that inflates beyond this is a bomb: the longest page of the development sets needs 30 MB. */
export const maxInflatedBytes = 256 * 1024 * 1024;

/** Compressed streams below this cannot reach the limit (deflate's best ratio is 1032:1). */
export const minSuspectBytes = Math.floor(maxInflatedBytes / 1032);

/** Operators of one page; beyond it the rest of the page is left out with a warning. Half a kilobyte each while they are listed. */
export const maxPageOperators = 600_000;

/** Characters of one page, alike: the smallest print fills a page of A3 with a third of them. */
export const maxPageGlyphs = 300_000;

/** A picture file with more pixels is refused; one with more than the second figure is made smaller. */
export const maxPictureFileAreaPx = 150_000_000;
export const maxPictureAreaPx = 9_000_000;

/** Resolution that PDF pages are drawn at for recognition: print of 6 points is still read. */
export const scanDotsPerInch = 200;

/** Page images: widest side, and the area of an embedded image that is still decoded. */
export const maxImageWidthPx = 4096;
export const maxImageAreaPx = 64_000_000;

/** Markup of office, web and mail files: elements and pieces of text in one part, and how deep they may lie. */
export const maxMarkupNodes = 3_000_000;
export const maxMarkupDepth = 400;

/** Parts of a zipped document. */
export const maxPackageParts = 20_000;

/** Filled cells of a workbook that are read. */
export const maxSheetCells = 200_000;

/** Mails in mails, and files attached: how deep, and how many of one mail. */
export const maxMailDepth = 8;
export const maxMailParts = 500;

/** Files attached to a mail that are read with it, and mails in mails of which theirs are. */
export const maxAttachedFiles = 50;
export const maxAttachmentDepth = 3;

/** Characters of a file of running text; a longer one is refused. */
export const maxFlowCharacters = 4_000_000;
