// The words of each check in German.
import type { ReportWords } from 'countersign/review';
import {
  agePerPayment,
  ageText,
  causeText,
  commitmentText,
  hashTypeName,
  indexesText,
  leavesOpen,
  lockAgeText,
  lockText,
  untilText,
  WHEN_UNLOCKED,
} from './dataTexts.ts';
import {
  at,
  coinName,
  contradictionText,
  falseClaimText,
  feeText,
  hiddenText,
  lockNeedText,
  MESSAGE_FAULTS,
  nameFaultText,
  ODDITIES,
  rootedTitle,
  silentFaultText,
  unprovenText,
  WALLET_FAULTS,
} from './findingTexts.ts';

const AGAIN = 'Die PSBT ist fehlerhaft oder gefälscht: Erstellen Sie sie neu, in einer Wallet, der Sie vertrauen.';
const REGISTER =
  'Registrieren Sie die Wallet einmal, wenn es Ihre ist (countersign register); fragen Sie sonst, woher ihre Datei stammt.';
const OTHER_CONDITIONS = 'Sie könnten andere Bedingungen unterschreiben als die, die Sie sehen.';
const REFUSED_BY_NODES = 'Das Netz lehnt die Transaktion ab.';

export const CHECKS: ReportWords['checks'] = {
  'change-refuted': {
    title: 'Falsches Rückgeld',
    what: falseClaimText,
    risk: 'Wer die Datei erstellt hat, bekäme dieses Geld.',
    remedy:
      'Erstellen Sie die PSBT neu, in einer Wallet, der Sie vertrauen. Gehört der Ausgang zu einer gemeinsamen Wallet, so registrieren Sie diese einmal (countersign register).',
  },
  'silent-foreign': {
    title: 'Ihr Scan-Schlüssel, aber ein fremder Ausgabeschlüssel',
    what: (_, place) =>
      `${at(place)} zahlt an eine Adresse mit Ihrem Scan-Schlüssel, aber weder mit Ihrem Ausgabeschlüssel noch mit einem verwendeten Label: Sie könnten das Geld sehen, aber nicht ausgeben.`,
    risk: 'Ein anderer Schlüssel gibt aus, was die Adresse erhält: Sie würden das Geld sehen und nie ausgeben können.',
    remedy: 'Fragen Sie erneut nach der Adresse.',
  },
  'name-refuted': {
    title: 'Ein Name, der nicht standhält',
    what: (data, place) => {
      const named = `Die PSBT nennt einen Namen für ${at(place)}`;
      if (data.reason === 'proof') return `${named}, der nicht standhält: ${nameFaultText(data.fault)}.`;
      if (data.reason === 'address') return `${named}, aber wer so heißt, will an eine andere Adresse bezahlt werden.`;
      return `${named}, aber wer so heißt, bittet um ${place.money(data.asked)}, nicht um ${place.money(data.paid)}.`;
    },
    risk: 'Wer die Datei gemacht hat, bekommt dieses Geld vielleicht im Namen eines anderen.',
    remedy: 'Lassen Sie die PSBT neu erstellen: Der Name muss neu nachgeschlagen werden.',
  },
  'name-unproven': {
    title: 'Ein Name ist nicht bewiesen',
    what: (data, place) =>
      `Die PSBT nennt einen Namen für ${at(place)}, der nicht gezeigt wird: ${unprovenText(data)}.`,
    risk: 'Wer die Datei gemacht hat, kann jeden Namen hineingeschrieben haben.',
    remedy: 'Vergleichen Sie die Adresse selbst, oder lassen Sie die PSBT mit einem neuen Beweis erstellen.',
  },
  'wallet-changed': {
    title: 'Die Wallet ist vielleicht eine veränderte Kopie einer registrierten',
    what: ({ wallet, fault }, place) =>
      place.outputIndex === undefined
        ? `Die Registrierung der Wallet ${wallet} stammt nicht von Ihrem Schlüssel: Ihre Schlüssel, ihr Name, ihr Netz oder die Wallets, die sie ersetzt, wurden geändert. Vergleichen Sie sie mit Ihrer eigenen Kopie.`
        : `${at(place)} zahlt an die Wallet ${wallet}, ${WALLET_FAULTS[fault]}: Vergleichen Sie ihre Schlüssel.`,
    risk: 'Ein Schlüssel kann durch den eines Fremden ersetzt worden sein.',
    remedy:
      'Vergleichen Sie jeden Schlüssel der Wallet-Datei mit dem, dem er gehört. Wollen Sie die Wallet benutzen, so registrieren Sie sie (countersign register); fragen Sie sonst, woher die Datei stammt.',
  },
  'wallet-foreign': {
    title: 'An eine Wallet, die Sie nicht registriert haben',
    what: ({ wallet, fault, isStrange, isUnusual }, place) => {
      const known = fault ? WALLET_FAULTS[fault] : 'die Sie nicht registriert haben';
      const whose = isStrange ? 'die keinen Ihrer Schlüssel enthält' : known;
      const chains = !isStrange && isUnusual ? ' und deren Ketten nicht 0 und 1 sind' : '';
      return `${at(place)} zahlt an die Wallet ${wallet}, ${whose}${chains}: Wer ihre Datei erstellt hat, kann über sie verfügen.`;
    },
    risk: 'Wer die Datei erstellt hat, verfügt vielleicht über die Wallet und bekommt dieses Geld.',
    remedy: REGISTER,
  },
  'key-contradicted': {
    title: 'Schlüssel widersprechen einander',
    what: contradictionText,
    risk: 'Die Wallet kann gefälscht sein: Coins, die dorthin gehen, gehören vielleicht einem Fremden.',
    remedy:
      'Exportieren Sie die Wallet-Datei neu, vergleichen Sie jeden Schlüssel mit dem, dem er gehört, und zahlen Sie nichts an ihre Adressen.',
  },
  'pays-other': {
    title: 'Es wird mehr bezahlt, als Sie wollten',
    what: ({ value }, place) =>
      value === undefined
        ? 'Sie haben genannt, was bezahlt werden soll, aber dies ist keine Zahlung.'
        : `${at(place)} zahlt ${place.money(value)}, um die Sie nicht gebeten haben.`,
    risk: 'Wer die Datei erstellt hat, fügt eine eigene Zahlung hinzu.',
    remedy: 'Nennen Sie mit --pays alles, was Sie bezahlen wollen, oder erstellen Sie die PSBT neu, ohne den Rest.',
  },
  burn: {
    title: 'Geld wird vernichtet',
    what: ({ value }, place) =>
      `${at(place)} vernichtet ${place.money(value)}: Niemand kann das Geld je wieder ausgeben.`,
    risk: 'Der Betrag ist endgültig verloren.',
    remedy: 'Erstellen Sie die PSBT neu, ohne diesen Ausgang, oder mit dem Betrag 0, wenn er nur Daten enthalten soll.',
  },
  'anyone-can-spend': {
    title: 'Geld geht an den, der es zuerst nimmt',
    what: ({ value }, place) => `${at(place)} verschenkt ${place.money(value)}: Jeder kann das Geld ausgeben.`,
    risk: 'Wer es zuerst bemerkt, nimmt den Betrag; dafür ist kein Schlüssel nötig.',
    remedy: 'Erstellen Sie die PSBT neu, ohne diesen Ausgang.',
  },
  'network-mixed': {
    title: 'Schlüssel eines anderen Netzes',
    what: ({ coinType }, { network }) =>
      `Schlüssel der PSBT gelten für ${coinName(coinType, network.ticker)}, aber Sie prüfen sie für ${network.title ?? network.name}: Wählen Sie das Netz der Schlüssel.`,
    risk: 'Was wie ein Test aussieht, kann echtes Geld sein.',
    remedy: 'Wählen Sie das Netz der Schlüssel (--network).',
  },
  'change-later': {
    title: 'Andere könnten das Rückgeld vor Ihnen nehmen',
    what: ({ wallet, mine, others }, place) =>
      `${at(place)} zahlt an die Wallet ${wallet}. Ihre Schlüssel können es dort ${ageText(mine)} ausgeben, andere ohne Sie ${ageText(others)}: Lassen Sie kein Rückgeld darin.`,
    risk: 'Wer die anderen Schlüssel hat, nimmt das Rückgeld sofort.',
    remedy: 'Erstellen Sie die PSBT neu, sodass alles an eine andere Ihrer Wallets geht.',
  },
  'wallet-unregistered': {
    title: 'Rückgeld an eine Wallet, die nicht registriert ist',
    what: ({ wallet, others, alone, isLocked }, place) => {
      const exposure =
        others === undefined
          ? 'kommen andere ohne Sie nicht an das Geld'
          : `kommen andere ohne Sie ${agePerPayment(others)} an das Geld`;
      const own = isLocked && alone === undefined ? WHEN_UNLOCKED : agePerPayment(alone);
      return `${at(place)} ist Rückgeld an die Wallet ${wallet}, die Sie nicht registriert haben: Nur ihre Datei sagt, dass die anderen Schlüssel stimmen. Nach dieser Datei ${exposure}, Sie allein ${own}. Registrieren Sie die Wallet einmal.`;
    },
    risk: 'Ist die Datei gefälscht, so können andere das Rückgeld ausgeben.',
    remedy:
      'Registrieren Sie die Wallet einmal (countersign register), und geben Sie die Datei an, die dabei entsteht.',
  },
  'wallet-retired': {
    title: 'An eine Wallet, die ersetzt wurde',
    what: ({ wallet }, place) =>
      `${at(place)} zahlt an die Wallet ${wallet}, die von einer anderen ersetzt wurde, die Sie registriert haben.`,
    risk: 'Schlüssel der alten Wallet sind vielleicht gestohlen.',
    remedy: 'Zahlen Sie an die Wallet, die sie ersetzt: Erstellen Sie die PSBT neu.',
  },
  'wallets-mixed': {
    title: 'Coins mehrerer Wallets, Rückgeld an eine',
    what: ({ wallet }, place) =>
      `${at(place)} zahlt an ${wallet === undefined ? 'eine gelistete Wallet' : `die Wallet ${wallet}`}, aber nicht alle Ihre Coins stammen aus ihr: Es wäre Rückgeld an eine Wallet, über die andere vielleicht verfügen.`,
    risk: 'Wer sonst Schlüssel dieser Wallet hat, könnte Coins nehmen, die Ihnen allein gehören.',
    remedy:
      'Erstellen Sie die PSBT neu, mit Coins nur einer Wallet, oder mit Rückgeld an die Wallet, die Ihnen allein gehört.',
  },
  'path-unusual': {
    title: 'Gehört Ihnen, liegt aber, wo keine Wallet sucht',
    what: ({ path, script }, place) =>
      `${at(place)} zahlt an Ihren Schlüssel unter dem ungewöhnlichen Pfad ${path} (${script}), wo keine wiederhergestellte Wallet sucht.`,
    risk: 'Ihre Wallet findet das Geld vielleicht nicht wieder, und jemand könnte für den Ort ein Lösegeld verlangen.',
    remedy:
      'Erstellen Sie die PSBT neu, mit einer Rückgeldadresse Ihrer Wallet; ist der Ort eine Ihrer Wallets, so registrieren Sie diese einmal (countersign register).',
  },
  'message-mismatch': {
    title: 'Signiert wird nicht dieser Text',
    what: ({ reason }) => `Die PSBT sagt, dass sie eine Nachricht signiert, aber ${MESSAGE_FAULTS[reason]}.`,
    risk: 'Sie könnten einen anderen Text unterschreiben, oder eine Zahlung.',
    remedy: 'Die PSBT zeigt eine andere Nachricht, als sie signiert: Bitten Sie um eine neue Anfrage.',
  },
  'message-hidden': {
    title: 'Signiert wird ein Text, den Sie nicht lesen können',
    what: (hidden) =>
      `${hiddenText(hidden)}: Ihre Signatur kann Zustimmung zu allem sein. Bitten Sie um eine PSBT mit einem Text, den Sie lesen können.`,
    risk: 'Ihre Signatur kann Zustimmung zu allem sein: zu einer Anmeldung, einem Vertrag, einer Schuld.',
    remedy: 'Bitten Sie um eine PSBT, die den ganzen Text zeigt.',
  },
  'fee-absurd': {
    title: 'Die Gebühr ist absurd hoch',
    what: feeText,
    risk: 'Das Geld geht an einen Miner und lässt sich nicht zurückholen.',
    remedy: 'Erstellen Sie die PSBT neu, mit einer niedrigeren Gebühr.',
  },
  'fee-negative': {
    title: 'Es wird mehr bezahlt als ausgegeben',
    what: ({ excess }, { money }) => `Die Transaktion zahlt ${money(excess)} mehr, als ihre Coins enthalten.`,
    risk: 'Das Netz lehnt die Transaktion ab, oder Beträge in der Datei sind falsch.',
    remedy: 'Erstellen Sie die PSBT neu, mit Coins für alles, was sie zahlt.',
  },
  'amount-mismatch': {
    title: 'Zwei Beträge widersprechen einander',
    what: ({ claimed, shown }, place) =>
      `${at(place)} nennt einen Coin von ${place.coins(claimed)}, aber die vorherige Transaktion zeigt ${claimed === shown ? 'ein anderes Skript' : `einen anderen Betrag: ${place.coins(shown)}`}.`,
    risk: 'Jemand hat die Datei vielleicht geändert, um die wahre Gebühr zu verbergen.',
    remedy: AGAIN,
  },
  'previous-transaction-mismatch': {
    title: 'Der Beweis gehört zu einem anderen Coin',
    what: (_, place) => `${at(place)} zeigt eine andere vorherige Transaktion als die, aus der er ausgibt.`,
    risk: 'Die Beträge, die Sie sehen, können erfunden sein.',
    remedy: AGAIN,
  },
  'legacy-unproven': {
    title: 'Der Betrag eines Coins alter Art ist nicht bewiesen',
    what: ({ isHidden }, place) =>
      isHidden
        ? `${at(place)} zeigt weder das redeemScript noch die vorherige Transaktion seines P2SH-Coins: Ist der Coin nicht segwit, so deckt die Signatur den Betrag nicht ab.`
        : `${at(place)} gibt einen Coin alter Art aus, ohne die vorherige Transaktion zu zeigen: Die Signatur deckt den Betrag nicht ab.`,
    risk: 'Der wahre Betrag kann weit höher sein, und der Unterschied geht als Gebühr verloren.',
    remedy:
      'Die vorherigen Transaktionen fehlen: Fügen Sie sie hinzu (utxoupdatepsbt), oder exportieren Sie die PSBT neu mit ihnen.',
  },
  'amount-impossible': {
    title: 'Ein unmöglicher Betrag',
    what: (_, place) =>
      place.outputIndex === undefined
        ? 'Die Beträge ergeben zusammen mehr, als es geben kann.'
        : `${at(place)} zahlt einen Betrag, den es nicht geben kann.`,
    risk: 'Die Datei ist beschädigt oder gefälscht.',
    remedy: AGAIN,
  },
  'sighash-unnamed': {
    title: 'Die Datei verlangt eine ungewöhnliche Signatur',
    what: ({ sighashType }, place) =>
      `${at(place)} verlangt Signaturen vom Typ ${hashTypeName(sighashType)}. Solche Signaturen ${commitmentText(sighashType, place.inputIndex ?? 0)}. Sie haben diesen Typ nicht genannt.`,
    risk: 'Was die Signatur offen lässt, können andere ändern und so das Geld woandershin schicken.',
    remedy: 'Bitten Sie um eine PSBT ohne Hashtyp, oder nennen Sie den Typ, wenn Sie ihn wollen (--sighash).',
  },
  'sighash-undefined': {
    title: 'Diesen Signaturtyp gibt es nicht',
    what: ({ sighashType }, place) => `${at(place)} verlangt den undefinierten Hashtyp ${hashTypeName(sighashType)}.`,
    risk: 'Eine solche Signatur deckt nicht ab, was eine Wallet anzeigen würde.',
    remedy: AGAIN,
  },
  'single-without-output': {
    title: 'Eine Signatur würde keinen Ausgang abdecken',
    what: (_, { inputIndex }) =>
      `SINGLE signiert den Ausgang mit der Nummer des Eingangs, aber es gibt keinen Ausgang ${inputIndex ?? 0}.`,
    risk: 'Mit einer solchen Signatur lassen sich alle Coins desselben Schlüssels nehmen.',
    remedy: AGAIN,
  },
  'signature-sighash': {
    title: 'Eine Signatur in der Datei ist von anderem Typ',
    what: ({ sighashType, others }, place) => {
      const open = others.filter(leavesOpen).map((type) => ` ${openSignatures(type, place.inputIndex)}`);
      return `${at(place)} enthält eine Signatur mit einem anderen Hashtyp als ${hashTypeName(sighashType)}.${open.join('')}`;
    },
    risk: 'Die andere Signatur lässt vielleicht Teile der Transaktion offen.',
    remedy:
      'Alle Signaturen eines Eingangs müssen vom selben Typ sein: Signieren Sie mit dem Typ der anderen, oder bitten Sie die anderen, neu zu signieren.',
  },
  'signature-invalid': {
    title: 'Eine Signatur in der Datei ist ungültig',
    what: (found, place) => {
      if (found.of === 'final-fields') return `${at(place)} gibt mit seiner fertigen Signatur den Coin nicht aus.`;
      const { cause } = found;
      return `${at(place)} enthält eine ${cause ? `Signatur, die nicht zählt: ${causeText(cause)}` : 'ungültige Signatur'}.`;
    },
    risk: 'Die Transaktion wurde nach dem Signieren geändert, die Datei ist beschädigt, oder beim Signieren ging etwas schief.',
    remedy: 'Eine Signatur ist ungültig: Bitten Sie darum, dass neu signiert wird.',
  },
  'script-mismatch': {
    title: 'Ein Skript gehört nicht zu seinem Coin',
    what: (_, place) =>
      place.inputIndex === undefined
        ? `${at(place)} zeigt ein Skript, an das er nicht zahlt.`
        : `${at(place)} zeigt ein Skript, das nicht zu seinem Coin gehört.`,
    risk: OTHER_CONDITIONS,
    remedy: AGAIN,
  },
  'taproot-mismatch': {
    title: 'Taproot-Daten gehören nicht zum Coin',
    what: (_, place) =>
      place.inputIndex === undefined
        ? `${at(place)} zeigt einen inneren Schlüssel und einen Baum, an die er nicht zahlt.`
        : `${at(place)} zeigt einen Schlüssel oder ein Blatt, die nicht zu seinem Coin gehören.`,
    risk: OTHER_CONDITIONS,
    remedy: AGAIN,
  },
  'leaf-unusual': {
    title: 'Ein ungewöhnliches Taproot-Skript',
    what: ({ oddity }, place) => `Ein Blatt von ${at(place)} ${ODDITIES[oddity]}.`,
    risk: 'Vielleicht kann jeder den Coin ausgeben, oder eine spätere Regel ändert die Bedeutung des Skripts.',
    remedy: 'Signieren Sie auf einem anderen Weg, den Coin auszugeben, oder fragen Sie nach, wozu das Blatt dient.',
  },
  'key-uncompressed': {
    title: 'Ein Schlüssel hat die falsche Form',
    what: (_, place) =>
      `${at(place)} verwendet in segwit einen unkomprimierten oder ungültigen Schlüssel, der dort nie signieren kann.`,
    risk: 'Mit diesem Schlüssel lässt sich der Coin nie ausgeben.',
    remedy: AGAIN,
  },
  'coin-repeated': {
    title: 'Ein Coin wird doppelt ausgegeben',
    what: () => 'Die Transaktion gibt einen Coin zweimal aus, und kein Node nimmt das an.',
    risk: REFUSED_BY_NODES,
    remedy: AGAIN,
  },
  'silent-payment-refuted': {
    title: 'Ein Silent Payment ist falsch',
    what: ({ fault }, place) =>
      `${at(place)} zahlt nicht so an seine Silent-Payment-Adresse, wie er müsste: ${silentFaultText(fault)}.`,
    risk: 'Wer das Geld erhalten soll, fände es nicht.',
    remedy: 'Erstellen Sie die PSBT neu.',
  },
  'silent-payment-unproven': {
    title: 'Ein Silent Payment ist nicht bewiesen',
    what: ({ fault }, place) =>
      `${at(place)} zahlt angeblich an eine Silent-Payment-Adresse: ${silentFaultText(fault)}.`,
    risk: 'Das Geld geht vielleicht an jemand anderen.',
    remedy: 'Bitten Sie die anderen, die signieren, um ihre Anteile.',
  },
  'silent-payment-receivers': {
    title: 'Silent Payments können einander verbergen',
    what: ({ fault }, place) =>
      `${at(place)} zahlt an eine Silent-Payment-Adresse, und sein Skript ist noch nicht berechnet: ${silentFaultText(fault)}.`,
    risk: 'Gehört eine der Adressen einem Fremden, so wird die andere Zahlung nicht gefunden.',
    remedy:
      'Hat Ihnen ein und derselbe Empfänger alle Adressen mit diesem Scan-Schlüssel gegeben, so nennen Sie jede mit --same-receiver; erstellen Sie die PSBT sonst neu, ohne die anderen.',
  },
  'amount-unproven': {
    title: 'Ein Betrag ist nicht bewiesen',
    what: (_, place) =>
      `Der Betrag von ${at(place)} ist nur behauptet, und nicht alle Signaturen decken ihn ab: Nur die vorherige Transaktion kann die Gebühr beweisen.`,
    risk: 'Zwei solche Transaktionen mit falschen Beträgen können Sie dazu bringen, eine weit höhere Gebühr zu zahlen, als Sie hier sehen.',
    remedy:
      'Exportieren Sie die PSBT neu, mit den vorherigen Transaktionen aller Coins, oder fügen Sie diese hinzu (utxoupdatepsbt).',
  },
  'coin-unknown': {
    title: 'Ein Coin ist unbekannt',
    what: (_, place) =>
      `Betrag und Skript des Coins von ${at(place)} sind nicht zu sehen: Fügen Sie die vorherige Transaktion hinzu.`,
    risk: 'Sie können weder die Gebühr kennen noch, wie viel Ihres Geldes ausgegeben wird.',
    remedy: 'Fügen Sie die vorherige Transaktion des Coins hinzu (utxoupdatepsbt).',
  },
  'change-unverified': {
    title: 'Ob das Rückgeld Ihnen gehört, ist nicht bewiesen',
    what: ({ origin }, place) =>
      origin === undefined
        ? `${at(place)} ist angeblich Rückgeld, aber es liegt kein Schlüssel und keine Wallet vor, um das zu prüfen.`
        : `${at(place)} nennt neben anderen Ihren Schlüssel ${origin}, aber keine vorliegende Wallet leitet ihn ab: Geben Sie die Wallet-Datei der ausgegebenen Coins an.`,
    risk: 'Das Geld geht vielleicht an einen Fremden.',
    remedy:
      'Geben Sie die Wallet-Datei der ausgegebenen Coins an (--descriptors-file), sobald Sie die Wallet registriert haben (countersign register).',
  },
  'search-cut': {
    title: 'Zu viele Orte zum Durchsuchen',
    what: (_, place) =>
      place.inputIndex === undefined && place.outputIndex === undefined
        ? 'Mehr Ausgänge nennen Schlüssel auf anderen Ketten Ihrer Wallets, als die Prüfung ableitet.'
        : `${at(place)} nennt mehr Schlüssel, als die Prüfung in dieser PSBT durchsucht: Er kann Ihnen gehören, ohne dass es hier steht, oder fälschlich Ihre Schlüssel nennen.`,
    risk: 'Ihre Coins oder Ihr Rückgeld erscheinen vielleicht als fremd, und falsche Angaben können sich darunter verbergen.',
    remedy: 'Erstellen Sie die PSBT neu, mit weniger Ausgängen, in einer Wallet, der Sie vertrauen.',
  },
  'owner-unknown': {
    title: 'Ein Coin außerhalb Ihrer Wallets',
    what: (_, place) =>
      `Keine vorliegende Wallet leitet den Coin von ${at(place)} ab, aber ein vorliegender Schlüssel kann dafür signieren: Der Coin zählt als Ihrer.`,
    risk: 'Sie geben vielleicht einen Coin aus, den Sie nicht ausgeben wollten.',
    remedy: 'Geben Sie die Wallet-Datei des Coins an (--descriptors-file).',
  },
  'coin-foreign': {
    title: 'Fremde Coins neben Ihren',
    what: ({ inputs }) => {
      const isOne = inputs.length === 1;
      const coins = indexesText(inputs, 'Der Coin von Eingang', 'Die Coins der Eingänge');
      return `${coins} ${isOne ? 'ist' : 'sind'} nicht als Ihr Eigentum bekannt: Signieren Sie nur, wenn auch andere in dieser Transaktion zahlen, etwa bei einem Coinjoin; exportieren Sie sie sonst neu, mit den Einträgen aller Coins.`;
    },
    risk: 'Gehört einer davon Ihnen, so könnte diese Signatur zusammen mit der für eine zweite, ähnliche PSBT das Doppelte dessen zahlen, was jede der beiden zeigt.',
    remedy:
      'Signieren Sie nur, wenn Sie wissen, dass auch andere in dieser Transaktion zahlen, etwa bei einem Coinjoin oder Payjoin.',
  },
  'wallet-other': {
    title: 'An eine andere Ihrer Wallets',
    what: ({ wallet, root }, place) =>
      `${at(place)} zahlt an ${rootedTitle(wallet ?? 'ohne Namen', root)}, und keiner der ausgegebenen Coins stammt aus ihr: Es ist kein Rückgeld.`,
    risk: 'Das Geld verlässt die Wallet, aus der ausgegeben wird.',
    remedy: 'Signieren Sie nur, wenn Sie Geld dorthin verschieben wollen.',
  },
  'account-other': {
    title: 'An ein anderes Ihrer Konten',
    what: ({ path }, place) =>
      `${at(place)} zahlt an Ihr anderes Konto ${path}, aus dem kein Coin ausgegeben wird: Eine wiederhergestellte Wallet findet es nur, wenn alle Konten davor benutzt wurden.`,
    risk: 'Eine wiederhergestellte Wallet findet das Geld vielleicht nicht.',
    remedy: 'Schreiben Sie den Pfad auf, oder benutzen Sie die Konten der Reihe nach.',
  },
  'path-far': {
    title: 'Gehört Ihnen, liegt aber, wo eine wiederhergestellte Wallet nicht sucht',
    what: ({ path, index, account }, place) => {
      const named = path === undefined ? '' : ` (${path})`;
      const where =
        account === undefined
          ? `bei Index ${index}${named}, wo eine wiederhergestellte Wallet es vielleicht nicht findet`
          : `in Konto ${account}${named}, wo eine wiederhergestellte Wallet nicht sucht`;
      return `${at(place)} gehört Ihnen, liegt aber ${where}: Schreiben Sie sich ${path === undefined ? 'das' : 'den Pfad'} auf.`;
    },
    risk: 'Eine wiederhergestellte Wallet findet das Geld vielleicht nicht.',
    remedy:
      'Schreiben Sie den Pfad auf, oder erstellen Sie die PSBT neu, mit der nächsten Rückgeldadresse Ihrer Wallet.',
  },
  'sighash-unusual': {
    title: 'Die Signatur lässt Teile offen',
    what: ({ sighashType }, { inputIndex }) => openSignatures(sighashType, inputIndex),
    risk: 'Was die Signatur offen lässt, können andere ändern.',
    remedy: 'Signieren Sie so nur, wenn Sie wissen, wer die Transaktion vervollständigt und wie.',
  },
  'fee-high': {
    title: 'Die Gebühr ist hoch',
    what: feeText,
    risk: 'Sie zahlen mehr als nötig.',
    remedy: 'Erstellen Sie die PSBT neu, mit einer niedrigeren Gebühr, außer wenn es eilt.',
  },
  'fee-low': {
    title: 'Die Gebühr ist zu niedrig',
    what: ({ fee, rate }, { money }) =>
      `Die Gebühr von ${money(fee)} entspricht ${rate.toFixed(2)} sat/vB: Kein Node leitet das weiter.`,
    risk: 'Die Transaktion wird nicht bestätigt.',
    remedy: 'Erstellen Sie die PSBT neu, mit einer höheren Gebühr.',
  },
  'script-unread': {
    title: 'Ein Skript, das sich nicht lesen lässt',
    what: ({ of, bytes, isSigned, hasKeyPath }, place) => {
      const finishes =
        of === 'leaf' ? 'und stellt es nur fertig, wenn Signaturen genügen' : 'und fertigstellen muss es seine Wallet';
      const advice = isSigned
        ? `countersign kann es signieren, aber nicht lesen, ${finishes}`
        : 'countersign kann es weder lesen noch signieren, das kann nur seine Wallet';
      const direct = hasKeyPath
        ? ' Eine Signatur auf dem direkten Taproot-Weg gibt den Coin auch ohne dieses aus.'
        : '';
      const what = of === 'leaf' ? 'ein Blatt' : 'ein Skript';
      return `${at(place)} zeigt ${what} von ${bytes} Bytes, das kein Miniscript ist: ${advice}.${direct}`;
    },
    risk: 'Es erlaubt vielleicht anderen, den Coin auszugeben, und nur die Wallet, die es erstellt hat, kann die Transaktion fertigstellen.',
    remedy: 'Fragen Sie nach, was das Skript verlangt.',
  },
  'locktime-unusual': {
    title: 'Die Transaktion muss warten',
    what: (found, place) => {
      switch (found.reason) {
        case 'age':
          return `${at(place)} kann erst bestätigt werden, wenn sein Coin ${lockAgeText(found.age)} alt ist.`;
        case 'disabled':
          return 'Die Transaktion hat eine Locktime, aber kein Eingang lässt sie gelten.';
        case 'until':
          return `Die Transaktion kann nicht vor ${untilText(found.lock, place)} bestätigt werden: Zahlen Sie inzwischen noch einmal aus anderen Coins, so zahlen Sie doppelt.`;
        default:
          return `Die Nachricht zählt erst ab der Locktime ${found.locktime} und der Sequence ${found.sequence} als signiert.`;
      }
    },
    risk: 'Sie wird vielleicht später bestätigt, als Sie erwarten, oder sofort, wo Sie mit einer Wartezeit rechnen.',
    remedy: 'Erstellen Sie die PSBT neu, ohne die Zeitsperre, außer wenn Sie diese wollen.',
  },
  'lock-unmet': {
    title: 'Keine Signatur vervollständigt die Transaktion',
    what: (found, place) => {
      if (found.reason === 'own-ways') {
        const opens = found.age === undefined ? WHEN_UNLOCKED : `erst ${ageText(found.age)}`;
        return `Für Ihre Schlüssel öffnet sich der Coin von ${at(place)} ${opens}, und die Transaktion sagt nicht, dass sie wartet: Ihre Signatur vervollständigt nichts.`;
      }
      const { locks, needs } = found;
      return `Keine Signatur vervollständigt ${at(place)}: Sein Coin lässt sich erst ${locks.map(lockText).join(' und ')} ausgeben, und die Transaktion sagt nicht, dass sie wartet. Erstellen Sie sie neu mit ${needs.map(lockNeedText).join(' und ')}.`;
    },
    risk: 'Kein Node nimmt die Transaktion an.',
    remedy: 'Erstellen Sie die PSBT neu, mit der Locktime oder Sequence, die der Coin braucht.',
  },
  'version-unusual': {
    title: 'Eine ungewöhnliche Version',
    what: ({ version }) => `Die Transaktion hat die Version ${version}.`,
    risk: 'Nodes leiten sie vielleicht nicht weiter.',
    remedy: 'Erstellen Sie die PSBT neu, mit Version 2.',
  },
  'nonce-repeated': {
    title: 'Ein privater Schlüssel liegt offen',
    what: () => 'Zwei Signaturen haben dieselbe Nonce: Wer beide sieht, kann den privaten Schlüssel berechnen.',
    risk: 'Wer den Schlüssel berechnet, nimmt alle seine Coins.',
    remedy:
      'Verschieben Sie alle Coins dieses Schlüssels, und benutzen Sie das Gerät, das so signiert hat, nicht mehr.',
  },
  'signature-foreign': {
    title: 'Eine Signatur mit einem fremden Schlüssel',
    what: (_, place) => `${at(place)} enthält eine Signatur mit einem Schlüssel, den sein Coin nicht annimmt.`,
    risk: 'Sie galt vielleicht einer anderen Wallet: Wer signieren sollte, hat dann nicht signiert.',
    remedy: 'Bitten Sie darum, dass mit der Wallet des Coins signiert wird.',
  },
  'silent-payment-open': {
    title: 'Ein Silent Payment wartet auf Anteile',
    what: ({ fault }, place) =>
      `${at(place)} zahlt an eine Silent-Payment-Adresse, und sein Skript ist noch nicht berechnet: ${silentFaultText(fault)}.`,
    risk: 'Noch lässt sich nichts signieren: Das Skript folgt aus den Schlüsseln aller Eingänge.',
    remedy: 'Signieren Sie, um Ihren Anteil hinzuzufügen, und geben Sie die PSBT weiter.',
  },
  'silent-payment-conditional': {
    title: 'Ein Silent Payment wird vielleicht nicht gefunden',
    what: ({ reason }, place) => {
      const finds = `Wer das Geld aus ${at(place)} erhalten soll, findet es nur, wenn`;
      if (reason === 'coins')
        return `${finds} die Coins so sind, wie die PSBT behauptet: Bitten Sie um die vorherigen Transaktionen.`;
      return reason === 'signatures'
        ? `${finds} nichts geändert wird, was eine Signatur offen lässt: Signieren Sie mit dem Hashtyp ALL.`
        : `${finds} die anderen Ausgänge mit demselben Scan-Schlüssel auch ihm gehören: Ein fremder Ausgabeschlüssel darunter verbirgt die Zahlung. Signieren Sie nur, wenn Sie alle diese Adressen von ein und demselben Empfänger haben.`;
    },
    risk: 'Das Geld ist dann vielleicht unerreichbar.',
    remedy: 'Bitten Sie um das, was der Satz oben nennt, und prüfen Sie erneut.',
  },
  dust: {
    title: 'Ein winziger Ausgang',
    what: (_, place) => `${at(place)} ist zu klein (dust): Ihn auszugeben würde mehr kosten, als er wert ist.`,
    risk: 'Nodes leiten die Transaktion vielleicht nicht weiter, und der Betrag ist praktisch verloren.',
    remedy: 'Erstellen Sie die PSBT neu, ohne diesen Ausgang.',
  },
};

const openSignatures = (sighashType: number, inputIndex = 0): string =>
  `Signaturen von Eingang ${inputIndex} (${hashTypeName(sighashType)}) ${commitmentText(sighashType, inputIndex)}.`;
