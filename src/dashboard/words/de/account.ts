import { MIN_PASSWORD_LENGTH } from '../../../domain/password-rule.ts'
import type { accountWords as en } from '../en/account.ts'

export const accountWords: typeof en = {
  signIn: {
    title: 'Anmelden',
    lead: 'Um Ihre Websites zu schreiben und zu veröffentlichen.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    submit: 'Anmelden',
    help: 'Noch kein Passwort, oder vergessen? Wer diesen Dienst betreibt, gibt Ihnen einen Link, mit dem Sie eines wählen.',
    forgotten: 'Noch kein Passwort, oder vergessen?',
    refused: 'Die Adresse oder das Passwort ist falsch.',
  },

  setUp: {
    title: 'Passwort wählen',
    lead: 'Dieser Link funktioniert nur einmal.',
    password: 'Neues Passwort',
    again: 'Neues Passwort, noch einmal',
    hint: `Mindestens ${MIN_PASSWORD_LENGTH} Zeichen. Am besten ein paar Wörter, die nur Sie so zusammenstellen.`,
    submit: 'Passwort setzen und anmelden',
    different: 'muss gleich sein wie oben.',
    badTitle: 'Dieser Link funktioniert nicht',
    bad: 'Er wurde schon benutzt, ist abgelaufen oder unvollständig. Fragen Sie nach einem neuen.',
  },

  recovery: {
    title: 'Ein neues Passwort',
    lead: 'Wir senden Ihnen einen Link, mit dem Sie eines wählen.',
    submit: 'Link senden',
    sentTitle: 'Sehen Sie in Ihr Postfach',
    sent: 'Wenn ein Konto diese Adresse hat, ist eine E-Mail dorthin unterwegs. Es kann einige Minuten dauern. Der Link darin gilt 24 Stunden.',
    confirmTitle: 'Adresse bestätigen',
    confirmLead: (account: string) => `Das Konto ${account} meldet sich ab jetzt mit ihr an.`,
    confirm: 'Bestätigen',
    badTitle: 'Dieser Link funktioniert nicht',
    bad: 'Er wurde schon benutzt, ist abgelaufen oder unvollständig. Fordern Sie unter Konto einen neuen an.',
  },

  invitation: {
    title: 'Sie sind eingeladen',
    lead: (from, project) =>
      from === null
        ? `Sie sind eingeladen, an der Website „${project}“ mitzuarbeiten.`
        : `${from} hat Sie eingeladen, an der Website „${project}“ mitzuarbeiten.`,
    as: (email) => `Sie sind als ${email} angemeldet. Die Mitglieder des Projekts sehen diese Adresse.`,
    accept: 'Annehmen',
    decline: 'Ablehnen',
    signIn: 'Zum Annehmen anmelden',
    newTitle: 'Noch kein Konto?',
    join: 'Konto anlegen und annehmen',
    signedIn: 'Sie sind angemeldet. Nehmen Sie mit Ihrem Konto an, oder melden Sie sich erst ab.',
    badTitle: 'Diese Einladung funktioniert nicht',
    bad: 'Sie wurde beantwortet, zurückgenommen oder ersetzt oder ist abgelaufen. Bitten Sie die Person, die Sie eingeladen hat, um eine neue.',
  },

  offers: {
    title: 'Ihnen angeboten',
    waiting: (count) =>
      count === 1 ? 'Ein Angebot wartet auf Ihre Antwort.' : `${count} Angebote warten auf Ihre Antwort.`,
    membership: (from, role) =>
      from === null ? `Eine Einladung: ${role}` : `Eingeladen von ${from}: ${role}`,
    transfer: (from) =>
      from === null
        ? 'Das Projekt wird eines Ihres Kontos.'
        : `${from} übergibt es: Es wird ein Projekt Ihres Kontos.`,
  },

  deletion: {
    title: 'Konto löschen',
    lead: 'Ihre Adresse, Passwörter, Passkeys, Schlüssel und Mitgliedschaften werden gelöscht. Seiten und Dateien in Projekten anderer bleiben dort. Das lässt sich nicht rückgängig machen.',
    open: 'Konto löschen …',
    projectsFirst: 'Diese Projekte gehören Ihrem Konto. Übergeben oder löschen Sie zuerst jedes davon.',
    undecided: 'Niemandem angeboten',
    offered: (email) => `${email} angeboten, noch nicht angenommen`,
    transfer: 'Übergeben',
    remove: 'Einstellungen',
    email: (address) => `Tippen Sie ${address} zur Bestätigung`,
    submit: 'Konto endgültig löschen',
    byPasskey: 'Mit einem Passkey',
    submitPasskey: 'Passkey benutzen und löschen',
  },

  account: {
    title: 'Konto',
    who: 'Angemeldet als',
    password: 'Passwort',
    current: 'Jetziges Passwort',
    change: 'Passwort ändern',
    changeHint: 'Alle anderen Sitzungen enden.',
    sessions: 'Sitzungen',
    sessionsHint:
      'Browser, die in Ihrem Konto angemeldet sind. Eine Sitzung endet nach 30 Tagen, oder nach 12 Stunden ohne Benutzung.',
    email: 'Ihre E-Mail-Adresse',
    emailLead:
      'Mit ihr melden Sie sich an, und unter ihr werden Sie eingeladen. Sie können sie einmal setzen; danach ändert sie, wer den Dienst betreibt.',
    emailLeadMail:
      'Mit ihr melden Sie sich an, und unter ihr werden Sie eingeladen. Eine neue Adresse bekommt eine E-Mail mit einem Link und gilt, sobald Sie ihn innerhalb einer Stunde in diesem Konto geöffnet haben.',
    setEmail: 'Adresse setzen',
    thisOne: 'Dieser Browser',
    lastUsed: 'Zuletzt benutzt',
    since: 'Seit',
    unknownBrowser: 'Unbekannter Browser',
    end: 'Sitzung beenden',
    endOthers: 'Alle anderen beenden',
  },

  codes: {
    title: 'Codes einer App',
    summary: 'Ein zweiter Schritt bei der Anmeldung, falls Ihr Passwort gestohlen wird.',
    manage: 'Codes verwalten',
    code: 'Code',
    codeHint: 'Die sechs Ziffern, die die App jetzt zeigt.',
    signInTitle: 'Noch ein Schritt',
    signInLead: 'Das Passwort stimmt. Was zeigt die App auf Ihrem Telefon?',
    signInHint: 'Sechs Ziffern, oder einer Ihrer Ersatzcodes. Jeder gilt einmal.',
    again: 'Mit einem anderen Konto anmelden',
    beginTitle: 'App hinzufügen',
    beginLead:
      'Eine Authenticator-App auf Ihrem Telefon zeigt jede halbe Minute einen anderen Code. Von da an braucht eine Anmeldung Ihr Passwort und einen Code.',
    begin: 'Weiter',
    addTitle: 'Diesen Schlüssel in die App eintragen',
    addLead:
      'Tragen Sie ihn in der App als zeitbasierten Schlüssel ein, dann hier den Code, den die App zeigt. Der Schlüssel ist 15 Minuten lang zu sehen.',
    open: 'App auf diesem Gerät öffnen',
    enable: 'Einschalten',
    enabled: 'Anmeldungen brauchen einen Code',
    left: (count) =>
      count === 0
        ? 'Kein Ersatzcode ist übrig. Erstellen Sie neue, falls Sie Ihr Telefon verlieren.'
        : count === 1
          ? 'Ein Ersatzcode ist übrig.'
          : `${count} Ersatzcodes sind übrig.`,
    renew: 'Neue Ersatzcodes',
    disable: 'Ausschalten',
    recoveryTitle: 'Ersatzcodes',
    recoveryLead:
      'Schreiben Sie diese auf, getrennt von Ihrem Telefon. Jeder ersetzt einmal einen Code der App. Sie werden nicht noch einmal gezeigt.',
    kept: 'Ich habe sie',
  },

  passkeys: {
    title: 'Passkeys',
    summary: 'Melden Sie sich mit Finger, Gesicht oder der PIN Ihres Geräts an, ohne Passwort.',
    manage: 'Passkeys verwalten',
    signIn: 'Mit einem Passkey anmelden',
    or: 'oder',
    refused: 'Der Passkey wurde abgelehnt. Versuchen Sie es noch einmal, oder nehmen Sie Ihr Passwort.',
    failed:
      'Der Browser gab keinen Passkey: abgebrochen, zu lange gewartet, oder keiner passt zu dieser Website.',
    lead: 'Jedes Gerät und jeder Passwort-Manager hat einen eigenen Passkey. Eine Anmeldung mit ihm braucht weder Ihr Passwort noch einen Code.',
    empty: 'Noch keine Passkeys',
    needsScript:
      'Browser erstellen Passkeys mit JavaScript; das ist hier ausgeschaltet, oder dieser Browser kann es nicht.',
    elsewhere: (url) =>
      `Passkeys brauchen einen Namen, der gleich bleibt. Öffnen Sie das Dashboard unter ${url}.`,
    beginTitle: 'Passkey hinzufügen',
    beginLead: 'Zuerst Ihr Passwort, damit niemand sonst Ihrem Konto einen hinzufügt.',
    begin: 'Weiter',
    add: 'Passkey hinzufügen',
    addLead: 'Ihr Browser fragt, wo er ihn speichern soll, und nach Finger, Gesicht oder PIN.',
    create: 'Passkey erstellen',
    name: 'Name des Passkeys',
    nameHint: 'An dem Sie ihn wiedererkennen, etwa das Gerät, auf dem er ist.',
    rename: 'Umbenennen',
    remove: 'Entfernen',
    never: 'Noch nicht benutzt',
  },

  keys: {
    title: 'API-Schlüssel',
    lead: 'Mit einem Schlüssel handeln Programme für Sie: einen Ordner hochladen, aus CI veröffentlichen, die API aufrufen.',
    create: 'Neuer Schlüssel',
    name: 'Wofür der Schlüssel ist',
    project: 'Projekt',
    allProjects: 'Alle Projekte',
    permissions: 'Was er darf',
    permission: {
      read: 'Lesen',
      write: 'Seiten, Einstellungen und Dateien schreiben',
      publish: 'Veröffentlichen',
      manage: 'API-Schlüssel verwalten',
    },
    expires: 'Endet am',
    expiresHint: 'Leer: nie.',
    expiresAt: (moment) => `Endet ${moment}`,
    never: 'Endet nie',
    empty: 'Noch keine Schlüssel',
    secretTitle: 'Das ist Ihr Schlüssel',
    secret: 'Kopieren Sie ihn jetzt. Er wird nicht noch einmal gezeigt.',
    rotate: 'Ersetzen',
    rotateHint: 'Erzeugt ein neues Geheimnis. Das vorige gilt noch 24 Stunden.',
    revoke: 'Widerrufen',
    former: (moment) => `Das vorige Geheimnis gilt bis ${moment}`,
    all: 'Zurück zu den Schlüsseln',
  },

  usage: {
    title: 'Verbrauch',
    lead: 'Was Ihr Konto speichert, und was es speichern darf.',
    unlimited: 'keine Grenze',
    of: (allowed) => `von ${allowed}`,
    names: {
      projects: 'Projekte',
      pages_per_project: 'Seiten des größten Projekts',
      draft_bytes: 'Texte, wie sie jetzt sind',
      release_bytes: 'Veröffentlichungen',
      media_bytes: 'Bilder und Dateien',
      webhooks: 'Webhooks',
      members: 'Mitglieder anderer Konten in Ihren Projekten',
      unfinished_jobs: 'Sammel- und geplante Veröffentlichungen, die noch laufen',
    },
  },
}
