import type { FieldErrorCode } from '../../../domain/invalid-field.ts'
import { SERVICE_PHRASES } from './service.ts'

/** Rejections of the services in German, by their English text; `{}` stands for the variable parts. */
export const refusals = {
  fields: {
    required: 'fehlt.',
    unknown_field: 'gibt es hier nicht.',
    wrong_type: 'hat eine andere Art von Wert.',
    not_allowed: 'ist keiner der möglichen Werte.',
    wrong_length: 'ist zu kurz oder zu lang.',
    out_of_range: 'ist zu klein oder zu groß.',
    wrong_format: 'hat nicht die nötige Form.',
    given_twice: 'kommt doppelt vor.',
    contradictory: 'widerspricht einem anderen Feld.',
    cannot_change: 'lässt sich nicht ändern.',
    taken: 'ist vergeben.',
    invalid: 'ist nicht gültig.',
  } as Readonly<Partial<Record<FieldErrorCode, string>>>,

  phrases: {
    ...SERVICE_PHRASES,
    'The page has been at {} other paths, and a page has no more redirects. Delete some of them first: GET /projects/:id/redirects?kind=former lists them, DELETE /projects/:id/redirects/:redirect_id deletes one.':
      'Die Seite war schon unter {} anderen Pfaden, und mehr leiten nicht zu einer Seite. Löschen Sie erst einige davon unter Einstellungen → Weiterleitungen.',
    'Another request has changed the redirect from {} meanwhile.':
      'Die Weiterleitung von {} wurde inzwischen anderswo geändert.',
    'A project has at most {} redirects.': 'Ein Projekt hat höchstens {} Weiterleitungen.',
    'The redirect from {} leads nowhere from now on. Give it another target, or delete it.':
      'Die Weiterleitung von {} führt von jetzt an ins Leere. Geben Sie ihr ein anderes Ziel, oder löschen Sie sie.',
    'The redirect was deleted meanwhile.': 'Die Weiterleitung wurde inzwischen gelöscht.',
    '{} is a redirect of the project. Change or delete that redirect.':
      '{} ist eine Weiterleitung des Projekts. Ändern oder löschen Sie diese.',
    '{} has a redirect of its own. Delete one of the two.':
      '{} hat schon eine eigene Weiterleitung. Löschen Sie eine von beiden.',
    'The project has no redirect {}.': 'Das Projekt hat keine Weiterleitung {}.',
    '{} already leads to {}. Change or delete that redirect.':
      '{} führt schon zu {}. Ändern oder löschen Sie diese Weiterleitung.',
    '{} already leads to a page, which names it or was there before.':
      '{} führt schon zu einer Seite, die den Pfad nennt oder früher dort war.',
    '{} is the path of a list or file.': '{} ist der Pfad einer Liste oder Datei.',
    'must lead to something else than the page.': 'muss zu etwas anderem als der Seite führen.',
    '{} would lead back to itself.': '{} würde zu sich selbst zurückführen.',
    '{} leads back to itself.': '{} führt zu sich selbst zurück.',
    '{} is a pattern, and there are none: write a line for each path.':
      '{} ist ein Muster, und die gibt es nicht: Schreiben Sie eine Zeile je Pfad.',
    '{} has {}, and there are only redirects for good: 301 or 308.':
      '{} hat {}, und es gibt nur dauerhafte Weiterleitungen: 301 oder 308.',
    '{} has conditions, and there are none: {}': '{} hat Bedingungen, und die gibt es nicht: {}',
    'must be a path of the site, such as {}, or an https: URL, of at most {} characters. It may also be the id of a page.':
      'muss ein Pfad der Website sein, etwa {}, die Kennung einer Seite oder eine Adresse mit https:, mit höchstens {} Zeichen.',
    'The target of {} must be a path of the site, such as {}, or an https: URL, of at most {} characters.':
      'Das Ziel von {} muss ein Pfad der Website sein, etwa {}, oder eine Adresse mit https:, mit höchstens {} Zeichen.',
    'The file must hold paths, one a line: /old: /new.':
      'Die Datei muss Pfade enthalten, einen je Zeile: /alt: /neu.',
    'The file is long, and has other lines than /old: /new. Write one redirect a line.':
      'Die Datei ist lang und hat andere Zeilen als /alt: /neu. Schreiben Sie eine Weiterleitung je Zeile.',
    'The file is not UTF-8 text.': 'Die Datei ist kein Text in UTF-8.',
    'must be one of {}.': 'muss eines davon sein: {}.',
    'must be at most {}': 'darf höchstens {} sein.',
    'must have at most {} characters.': 'darf höchstens {} Zeichen haben.',
    'must have at least {} characters.': 'muss mindestens {} Zeichen haben.',
    'must have at least {} different characters.': 'muss mindestens {} verschiedene Zeichen haben.',
    'must have {} to {} characters.': 'muss {} bis {} Zeichen haben.',
    'must have at most {} entries.': 'darf höchstens {} Einträge haben.',
    'must have at most {} names.': 'darf höchstens {} Namen haben.',
    'must have at most {} links.': 'darf höchstens {} Links haben.',
    'must have at most {} bytes in UTF-8.': 'darf in UTF-8 höchstens {} Bytes haben.',
    'must be at most {} bytes.': 'darf höchstens {} Bytes haben.',
    'must be a whole number from {} to {}.': 'muss eine ganze Zahl von {} bis {} sein.',
    'must be a whole number from {}.': 'muss eine ganze Zahl ab {} sein.',
    'must be the URL of a {} file.': 'muss die Webadresse einer Datei der Art {} sein.',
    'must be an e-mail address such as ada@example.com, of at most {} characters.':
      'muss eine E-Mail-Adresse wie ada@example.com sein, mit höchstens {} Zeichen.',
    'must be in the future, at most {} years ahead.':
      'muss in der Zukunft liegen, höchstens {} Jahre voraus.',
    'must be in the future.': 'muss in der Zukunft liegen.',
    'must be an ISO 8601 date or timestamp, such as 2026-03-10.':
      'muss ein Datum oder Zeitpunkt nach ISO 8601 sein, etwa 2026-03-10.',
    'must be a language tag, e.g. en or zh-Hans.': 'muss ein Sprachkürzel sein, etwa de oder zh-Hans.',
    'must be a colour, e.g. #0b6e4f or teal.': 'muss eine Farbe sein, etwa #0b6e4f oder teal.',
    'must be names of fonts, e.g. Inter, sans-serif.':
      'muss aus Namen von Schriften bestehen, etwa Inter, sans-serif.',
    'must be an http or https URL, or start with "/".':
      'muss eine Webadresse mit http oder https sein oder mit „/“ beginnen.',
    'must be an http, https, mailto or tel URL, or start with "/" or "#".':
      'muss eine Adresse mit http, https, mailto oder tel sein oder mit „/“ oder „#“ beginnen.',
    'must be a domain name such as docs.example.com.': 'muss ein Domainname sein, etwa docs.example.com.',
    'must be 3 to 50 lower-case letters, digits and hyphens.':
      'muss aus 3 bis 50 Kleinbuchstaben, Ziffern und Bindestrichen bestehen.',
    'must be 1 to 100 letters, digits and hyphens, with at least one letter or digit.':
      'muss aus 1 bis 100 Buchstaben, Ziffern und Bindestrichen bestehen, mit mindestens einem Buchstaben oder einer Ziffer.',
    'must be "/" or a path such as /help, without a slash at its end.':
      'muss „/“ oder ein Pfad wie /help sein, ohne Schrägstrich am Ende.',
    'must be the id of a docs page of the same project.':
      'muss die Kennung einer Doku-Seite dieses Projekts sein.',
    'must not be the page itself or one of its descendants.':
      'darf weder die Seite selbst noch eine Seite darunter sein.',
    'must be a measurement id such as G-ABC1234567.': 'muss eine Mess-ID sein, etwa G-ABC1234567.',
    'must not contain control characters.': 'darf keine Steuerzeichen enthalten.',
    'must not contain the character U+0000.': 'darf das Zeichen U+0000 nicht enthalten.',
    'must not contain "</" before a letter, or "<!--".':
      'darf weder „</“ vor einem Buchstaben noch „<!--“ enthalten.',
    'must not be the e-mail address.': 'darf nicht die E-Mail-Adresse sein.',
    'must not be empty.': 'darf nicht leer sein.',
    'must not be blank.': 'darf nicht leer sein.',
    'must name at least one permission.': 'muss mindestens ein Recht haben.',
    'must name at least one event.': 'muss mindestens ein Ereignis haben.',
    'must be an object.': 'muss ein Objekt sein.',
    'must be an object, such as {}.': 'muss ein Objekt sein, etwa {}.',
    'must be an object with label and href.': 'muss ein Objekt mit label und href sein.',
    'must be a list of objects with label and href.': 'muss eine Liste von Objekten mit label und href sein.',
    'must be a text.': 'muss ein Text sein.',
    'must be a text of up to {} characters, or an object with such a text.':
      'muss ein Text von bis zu {} Zeichen sein, oder ein Objekt mit einem solchen text.',
    'and each entry of its list also must have up to {} characters, and begin and end with a letter or digit.':
      'und jeder Eintrag seiner Liste also müssen bis zu {} Zeichen haben und mit einem Buchstaben oder einer Ziffer beginnen und enden.',
    'has an href that is no text.': 'hat ein href, das kein Text ist.',
    'must be all, docs or chosen.': 'muss all, docs oder chosen sein.',
    'must be one line of at most {} characters.': 'muss eine Zeile von höchstens {} Zeichen sein.',
    'must have a short name with a letter or digit, and at most {} bytes in UTF-8.':
      'muss einen Kurznamen mit einem Buchstaben oder einer Ziffer und höchstens {} Bytes in UTF-8 haben.',
    'has the same short name as {}.': 'hat denselben Kurznamen wie {}.',
    'must be JSON. {}': 'muss JSON sein. {}',
    'is wrong, or was used before. Wait for the next one.':
      'ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten.',
    'is too long.': 'ist zu lang.',
    'is your own.': 'ist Ihre eigene.',
    'is not the address of your account.': 'ist nicht die Adresse Ihres Kontos.',
    'is taken.': 'ist vergeben.',
    'is a member already.': 'ist schon Mitglied.',
    'is not your current password.': 'ist nicht Ihr jetziges Passwort.',
    'is needed, so that you know it again.': 'fehlt, damit Sie ihn wiedererkennen.',
    'is empty.': 'ist leer.',
    'is reserved and cannot be taken.': 'ist vorbehalten.',
    'is a host of this service and cannot be taken.': 'gehört zu diesem Dienst.',
    'is a domain of this service and cannot be taken.': 'gehört zu diesem Dienst.',
    'is a public suffix, under which others register their own domains.':
      'ist eine öffentliche Endung, unter der andere ihre Domains anmelden.',
    'is a special-use name, which is not part of the public DNS.':
      'ist ein besonderer Name, der nicht zum öffentlichen DNS gehört.',
    'cannot receive mail.': 'kann keine E-Mail empfangen.',

    'another page in {} has the slug {}.': 'hat dort schon eine andere Seite.',
    'another page of the project has the id {} in feeds.': 'hat schon eine andere Seite.',
    'Page {} is not published.': 'Die Seite {} ist nicht veröffentlicht.',
    'The project is {} and takes no changes.': 'Das Projekt ist {} und nimmt keine Änderungen an.',
    'The project is archived and takes no changes.':
      'Das Projekt ist archiviert und nimmt keine Änderungen an.',
    'The project is suspended and takes no changes.':
      'Das Projekt ist gesperrt und nimmt keine Änderungen an.',
    'Only an archived project can be deleted; set its status to archived first.':
      'Nur ein archiviertes Projekt lässt sich löschen. Archivieren Sie es zuerst.',
    'The project has no custom domain.': 'Das Projekt hat keine eigene Domain.',
    'The project already has {} unfinished bulk publishes; wait until one of them ends.':
      'Das Projekt hat schon {} Arbeiten, die noch nicht fertig sind. Warten Sie, bis eine davon endet.',
    'This user may not create projects.': 'Sie dürfen keine Projekte anlegen.',
    'The page has no such release.': 'Die Seite hat keine solche Fassung.',
    'The page is not proposed for publishing.': 'Die Seite ist nicht vorgeschlagen.',
    'A project has at most {} members next to its owner. Remove one first.':
      'Ein Projekt hat höchstens {} Mitglieder neben dem Besitzer. Entfernen Sie zuerst eines.',
    'The project belongs to the account of this member, who always stays its owner.':
      'Das Projekt gehört zum Konto dieses Mitglieds, das immer Besitzer bleibt.',
    'must be a page of the project.': 'muss eine Seite des Projekts sein.',
    '{} already leads to {}. Delete that redirect first.':
      '{} leitet schon auf {} um. Löschen Sie diese Umleitung zuerst.',
    '{} is the path of a page.': '{} ist der Pfad einer Seite.',
    'A page has at most {} redirects.': 'Auf eine Seite leiten höchstens {} Pfade um.',
    'No page of the project names a redirect from {}.':
      'Keine Seite des Projekts nennt eine Umleitung von {}.',
    'A project has at most {} webhooks.': 'Ein Projekt hat höchstens {} Webhooks.',
    'The webhook is switched off; set active to true first.':
      'Der Webhook ist aus. Schalten Sie ihn zuerst ein.',
    'The delivery is still pending.': 'Die Zustellung steht noch aus.',
    'The key is revoked. Create another one.': 'Der Schlüssel ist widerrufen. Legen Sie einen neuen an.',
    'An account has at most {} keys. Delete one first.':
      'Ein Konto hat höchstens {} Schlüssel. Löschen Sie zuerst einen.',
    'You have {} passkeys. Remove one first.': 'Sie haben {} Passkeys. Entfernen Sie zuerst einen.',
    'This passkey was added already.': 'Diesen Passkey gibt es schon.',
    'Sign-ins need a code already. Disable that first to use another app.':
      'Anmeldungen brauchen schon einen Code. Schalten Sie das zuerst ab, um eine andere App zu nehmen.',
    'Sign-ins need no code.': 'Anmeldungen brauchen keinen Code.',
    'The code came too late, or the password has changed. Sign in again.':
      'Der Code kam zu spät, oder das Passwort wurde geändert. Melden Sie sich noch einmal an.',
    'The e-mail address or the password is wrong.': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
    'Too many attempts to sign in. Try again in a minute.':
      'Zu viele Versuche, sich anzumelden. Versuchen Sie es in einer Minute wieder.',
    'Too many attempts to sign in. Try again in {} minutes.':
      'Zu viele Versuche, sich anzumelden. Versuchen Sie es in {} Minuten wieder.',
    'Too many requests: the limit is {}. Try again in {} s.':
      'Zu viele Anfragen. Versuchen Sie es in {2} Sekunden wieder.',
    'You have asked for many mails. Try again in an hour.':
      'Sie haben viele E-Mails angefordert. Versuchen Sie es in einer Stunde wieder.',
    'The operator of the service changes this address.': 'Diese Adresse ändert der Betreiber des Dienstes.',
    'This link was used already, was replaced by a newer one, or has expired.':
      'Dieser Link wurde schon benutzt, durch einen neueren ersetzt oder ist abgelaufen.',
    'Data Mode is already on for this project.': 'Data Mode ist für dieses Projekt schon an.',
    'Data Mode is off for this project.': 'Data Mode ist für dieses Projekt aus.',
    'The record has changed since you read it. Read it again, then repeat your change.':
      'Das wurde geändert, seit Sie es geöffnet haben. Öffnen Sie es noch einmal.',
    '{} is shown live by {}. Publish these pages without it first, or delete it with force=true.':
      '{} ist auf {} zu sehen. Veröffentlichen Sie diese Seiten zuerst ohne die Datei.',
    'The asset {} has the name {} and other bytes. {}':
      'Eine andere Datei der Bibliothek hat den Namen {2}. Wählen Sie einen anderen.',
    'The asset was deleted meanwhile.': 'Die Datei wurde inzwischen gelöscht.',
    'A file must be sent as multipart/form-data.': 'Wählen Sie eine Datei.',
    'Other uploads of this account run already.': 'Andere Dateien dieses Kontos werden schon hochgeladen.',
    'This invitation was answered, taken back or replaced, or has expired.':
      'Diese Einladung wurde beantwortet, zurückgenommen oder ersetzt oder ist abgelaufen.',
    'You work on this project already, with the role {}.': 'Sie arbeiten schon an diesem Projekt mit.',
    'An account has this address already. Sign in to it, then open the link again.':
      'Ein Konto hat diese Adresse schon. Melden Sie sich damit an und öffnen Sie den Link erneut.',
    'Your account may have no projects of its own (projects: 0). Ask the operator of the service.':
      'Ihr Konto darf keine eigenen Projekte haben (projects: 0). Fragen Sie den Betreiber des Dienstes.',
    'Only the account that the project belongs to can hand it over.':
      'Nur das Konto, dem das Projekt gehört, kann es übergeben.',
    'No offer has the id {}.': 'Dieses Angebot gibt es nicht mehr.',
    'The project does not exist any more.': 'Das Projekt gibt es nicht mehr.',
    'The project is offered to no one.': 'Das Projekt ist niemandem angeboten.',
    'Projects belong to your account. Transfer or delete each of them first.':
      'Ihrem Konto gehören Projekte. Übergeben oder löschen Sie zuerst jedes davon.',
    'No other account may create projects. The operator of the service deletes this one.':
      'Kein anderes Konto darf Projekte anlegen. Dieses löscht der Betreiber des Dienstes.',
    'Another account asked for this link. Sign in to that account, then open the link again.':
      'Ein anderes Konto hat diesen Link angefordert. Melden Sie sich mit jenem Konto an und öffnen Sie den Link erneut.',
    'Your role in this project is {}, which may not {}.': 'Ihre Rolle in diesem Projekt erlaubt das nicht.',
    "The account's limit {} is {}, and this request would exceed it. {}":
      'Damit wäre eine Grenze Ihres Kontos überschritten ({}: {}).',
  } as Readonly<Record<string, string>>,
}
