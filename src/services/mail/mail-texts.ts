import type { Role } from '../../domain/roles.ts'

/** What a mail says. */
export interface MailText {
  readonly subject: string
  readonly lines: readonly string[]
}

interface Invitation {
  readonly inviter: string
  readonly project: string
  readonly role: Role
  /** Whether the person has to choose a password first. */
  readonly isNew: boolean
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
    invitation: ({ inviter, project, role, isNew }: Invitation, link: string): MailText => ({
      subject: `You are invited to “${project}”`,
      lines: [
        `${inviter} has invited you to work on the site “${project}” as ${ROLE_NAMES.en[role]}.`,
        isNew
          ? 'Choose a password first. The link works once, within 24 hours; after that, ask for another one where you sign in:'
          : 'Sign in to see it:',
        link,
      ],
    }),
    'new-address': (link: string): MailText => ({
      subject: 'Confirm your address',
      lines: [
        'You want to sign in with this address from now on. Confirm it here:',
        link,
        'The link works within 24 hours. If you did not ask for it, do nothing.',
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
    invitation: ({ inviter, project, role, isNew }: Invitation, link: string): MailText => ({
      subject: `Einladung zu „${project}“`,
      lines: [
        `${inviter} hat Sie eingeladen, an der Website „${project}“ mitzuarbeiten (${ROLE_NAMES.de[role]}).`,
        isNew
          ? 'Wählen Sie zuerst ein Passwort. Der Link funktioniert einmal, innerhalb von 24 Stunden; danach fordern Sie beim Anmelden einen neuen an:'
          : 'Melden Sie sich an, um sie zu sehen:',
        link,
      ],
    }),
    'new-address': (link: string): MailText => ({
      subject: 'Adresse bestätigen',
      lines: [
        'Sie möchten sich ab jetzt mit dieser Adresse anmelden. Bestätigen Sie sie hier:',
        link,
        'Der Link funktioniert innerhalb von 24 Stunden. Waren Sie es nicht, tun Sie nichts.',
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

/** A name that people wrote, short and in one line. */
export function asName(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  const letters = [...line]
  return letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : line
}
