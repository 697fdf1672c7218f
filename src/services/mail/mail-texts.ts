import type { Role } from '../../domain/roles.ts'

export interface MailText {
  readonly subject: string
  readonly lines: readonly string[]
}

interface Invitation {
  readonly inviter: string
  readonly project: string
  readonly role: Role
}

interface Transfer {
  readonly owner: string
  readonly project: string
}

/** The texts of mails by language. */
export const MAIL_TEXTS = {
  en: {
    'set-up': (link: string): MailText => ({
      subject: 'Choose a password',
      lines: [
        'A new password was asked for, most likely by you. Choose it here:',
        link,
        'The link works once, within 24 hours. If you did not ask for it, do nothing: your password stays as it is.',
      ],
    }),
    invitation: ({ inviter, project, role }: Invitation, link: string): MailText => ({
      subject: `You are invited to “${project}”`,
      lines: [
        `${inviter} has invited you to work on the site “${project}” as ${ROLE_NAMES.en[role]}. Accept or decline here:`,
        link,
        'The link works once, within 14 days, and proves that this mailbox is yours: pass it on to no one. If you do not know the sender, do nothing.',
      ],
    }),
    transfer: ({ owner, project }: Transfer, link: string): MailText => ({
      subject: `You are offered the site “${project}”`,
      lines: [
        `${owner} wants to hand the site “${project}” over to your account. Sign in with this address to accept or decline:`,
        link,
        'The offer ends after 7 days. If you do not know the sender, do nothing.',
      ],
    }),
    'new-address': (account: string, link: string): MailText => ({
      subject: 'Confirm your address',
      lines: [
        `The account ${account} wants to sign in with this address from now on. If it is yours, sign in to it and confirm here:`,
        link,
        'The link works once, within an hour, and only for that account. If you did not ask for it, do nothing.',
      ],
    }),
    'old-address': (email: string): MailText => ({
      subject: 'Your address has changed',
      lines: [
        `Your account now has the address ${email}. If that was not you, ask the operator of this service for help.`,
      ],
    }),
  },
  de: {
    'set-up': (link: string): MailText => ({
      subject: 'Passwort wählen',
      lines: [
        'Jemand, vermutlich Sie, hat nach einem neuen Passwort gefragt. Wählen Sie es hier:',
        link,
        'Der Link funktioniert einmal, innerhalb von 24 Stunden. Waren Sie es nicht, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
      ],
    }),
    invitation: ({ inviter, project, role }: Invitation, link: string): MailText => ({
      subject: `Einladung zu „${project}“`,
      lines: [
        `${inviter} hat Sie eingeladen, an der Website „${project}“ mitzuarbeiten (${ROLE_NAMES.de[role]}). Nehmen Sie hier an oder lehnen Sie ab:`,
        link,
        'Der Link funktioniert einmal, innerhalb von 14 Tagen, und beweist, dass dieses Postfach Ihres ist: Geben Sie ihn nicht weiter. Kennen Sie den Absender nicht, tun Sie nichts.',
      ],
    }),
    transfer: ({ owner, project }: Transfer, link: string): MailText => ({
      subject: `Ihnen wird die Website „${project}“ angeboten`,
      lines: [
        `${owner} möchte die Website „${project}“ an Ihr Konto übergeben. Melden Sie sich mit dieser Adresse an, um anzunehmen oder abzulehnen:`,
        link,
        'Das Angebot endet nach 7 Tagen. Kennen Sie den Absender nicht, tun Sie nichts.',
      ],
    }),
    'new-address': (account: string, link: string): MailText => ({
      subject: 'Adresse bestätigen',
      lines: [
        `Das Konto ${account} möchte sich ab jetzt mit dieser Adresse anmelden. Ist es Ihres, melden Sie sich an und bestätigen Sie hier:`,
        link,
        'Der Link funktioniert einmal, innerhalb einer Stunde, und nur für dieses Konto. Waren Sie es nicht, tun Sie nichts.',
      ],
    }),
    'old-address': (email: string): MailText => ({
      subject: 'Ihre Adresse hat sich geändert',
      lines: [
        `Ihr Konto hat jetzt die Adresse ${email}. Waren Sie das nicht, fragen Sie den Betreiber dieses Dienstes um Hilfe.`,
      ],
    }),
  },
}

const ROLE_NAMES: Readonly<Record<keyof typeof MAIL_TEXTS, Readonly<Record<Role, string>>>> = {
  en: { owner: 'an owner', editor: 'an editor', author: 'an author', viewer: 'a viewer' },
  de: { owner: 'als Eigner', editor: 'als Redaktion', author: 'als Autor', viewer: 'als Leser' },
}

/** The texts of a language; English where there are none. */
export function mailTexts(language: string): (typeof MAIL_TEXTS)['en'] {
  return language === 'de' ? MAIL_TEXTS.de : MAIL_TEXTS.en
}

/** Text by others that mail programs turn into a link. */
const LINK = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.|[\p{L}\p{N}.-]+\.\p{L}{2,}[/:?#])\S*/giu

/** Shortens a name from a user to one line, without links and without characters that turn the text around. */
export function asName(text: string): string {
  const line = text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(LINK, '…')
    .trim()
  const letters = [...line]
  return letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : line
}
