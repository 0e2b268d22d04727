/** Features that candidates have, by what chooses among them: weights that ask for others are refused. */

const namesOf = (list: string): string[] => list.trim().split(/\s+/u);

/** Of any run of lines: its place, and the lines around it. */
const place = namesOf(`
  lines row rowsLeft height firstPage size sizeRatio x aside width across rows alone inBuyer fromBuyer
  fromTitle aboveGap aboveSize aboveTitle aboveCompany aboveAddress aboveContact aboveRegistration
  aboveBuyer aboveSeller aboveSender sender blockLine blockLines blockAt blocks blockContact blockNotice
  blockAttention othersTold comma fromBuyerLabel fromSellerLabel fromDeliveryLabel attention honorific
  aboveAttention belowAttention aboveOwner leftBuyer leftSeller leftLabel abovePlain aboveNone belowGap
  belowSize belowTitle belowCompany belowAddress belowPostcode belowContact belowRegistration belowLabel
  belowPlain belowSignature aboveSignature belowDepartment aboveDepartment aboveBuilding aboveHonorific
  headings belowTail belowPriced
`);

/** Of names alone. */
const ofName = namesOf(`
  behindPayable echoPayable echoBuyer echoSeller echoLegal byRule owned part behindBuyer behindSeller
  ownerLine formed ofSign toSign within colon ofLargest bold company companyFirst companyLast shop
  shopLast trade body personal address contact phone title label partyLabel addressEnd heading greeting
  priced date registration registrationLast cut digits upper length words lower onlyTrade earlier later
  kin ofDomain bracketed closes tradeFirst ownWords alike aboveAlike aboveOpen aboveWidth aboveShared
  belowAlike belowTrade belowWidth belowShared open stop domain repeats linesToAddress linesToPostcode
  linesToContact linesToPriced headed initialed small department signature belowTradeWord aboveTradeWord
  toAddress toContact toPostcode
`);

/** Of addresses alone. */
const ofAddress = namesOf(`
  part labelled addressLines addressShare firstAddress lastAddress lastTail firstHouse firstPlain
  firstBuilding firstPerson firstDepartment firstTrade secondHouse labelledLater labelledAddress
  department firstStreet postcodes postcodeLast afterPostcode company firstCompany contact firstContact
  phone title label registration addressEnd partyLabel priced date greeting cut commas endsOpen length
  digits upper pitch sizes lastWidth byRule fromName sharesColumn sameBlock samePage coversName behindName
  skipped skippedPlain skippedHouses skippedPersons skippedNumbers
`);

/** Of a run beside its rivals. */
const ofRival = namesOf(`
  ownScore otherScore ownRank ownGap sharedGap otherGap otherElse rivalOther rivalRows rivalX rivalSize
  rivalContact rivalBuyerLabel rivalSellerLabel rivalAlone
`);

/** Of a name beside its rivals. */
const ofRivalName = namesOf(`
  rivalNotice rivalPayable rivalLegal rivalDomain rivalCompany
`);

/** Of an address beside its rivals. */
const ofRivalAddress = namesOf(`
  rivalDelivery rivalSkipped rivalBehindName rivalSameBlock rivalFromName rivalLines rivalAddressLines
  rivalPostcodes longer shorter sameLines otherNamed otherSkipped otherBehindName otherFromName
  otherSameBlock otherCoversName
`);

/** Of amounts. */
const ofTotal = namesOf(`
  total subtotal tax rounding paid change discount charge named worded totalWord labelLength colon
  noAmount confirmed itemSum addends repeats share rank zero negative refund rowShare amountsBefore
  amountsAfter size ofLargest bold toEdge inRow lastInRow currency percent decimals inSummary inReturn
  inLoyalty afterPaid afterChange afterTotal nextPaid nextRounding nextTotal isPaid isPaidLessChange
  isTaxed
`);

const name = new Set([...place, ...ofName]);
const address = new Set([...place, ...ofAddress]);
const nameAmong = new Set([...name, ...ofRival, ...ofRivalName]);
const addressAmong = new Set([...address, ...ofRival, ...ofRivalAddress]);

export const knownFeatures = {
  name,
  nameAmong,
  address,
  addressAmong,
  buyerName: name,
  buyerNameAmong: nameAmong,
  buyerAddress: address,
  buyerAddressAmong: addressAmong,
  total: new Set(ofTotal),
} satisfies Record<string, ReadonlySet<string>>;
