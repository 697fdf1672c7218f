/** Warnings about pages, and ends of releases, jobs, deliveries and proofs in German, by their English text. */
export const SERVICE_PHRASES: Readonly<Record<string, string>> = {
  // Warnings of a publish. Their parts after a colon have phrases of their own.
  'The {} {} is dead: {}.': '{2}: {3}.',
  'no page is live at {}': 'Unter {} ist keine Seite veröffentlicht',
  '{} has no anchor #{}': '{} hat keine Stelle mit dem Namen #{}',
  'the site has no file {}': 'Die Website hat keine Datei {}',
  'the folder has no file {}': 'Der Ordner hat keine Datei {}',
  'The project has no asset named {}.': 'Die Mediathek hat keine Datei {}.',
  'The page is at {}, where the articles by {} would be listed. Their list and its feed are not written. Move the page to keep them.':
    'Die Seite liegt unter {}, wo sonst die Artikel von {} stehen. Deren Liste und Feed entfallen. Verschieben Sie die Seite, um sie zu behalten.',
  'The page is at {}, where the articles with the tag {} would be listed. Their list and its feed are not written. Move the page to keep them.':
    'Die Seite liegt unter {}, wo sonst die Artikel mit dem Schlagwort {} stehen. Deren Liste und Feed entfallen. Verschieben Sie die Seite, um sie zu behalten.',
  '{} exceeds the limit of {} redirect paths.': '{} ist zu viel: Höchstens {} Pfade können umleiten.',
  'Another object of the site is served at {}, so it does not redirect to this page.':
    'Unter {} liegt etwas anderes von dieser Website, darum leitet es nicht auf diese Seite um.',
  'The date {} is in the future, and the article is live from now on. Schedule the publish with publish_at to have it live from then on.':
    'Das Datum {} liegt in der Zukunft, aber der Artikel ist ab jetzt zu sehen. Planen Sie ihn, damit er erst dann erscheint.',
  'Readers of feeds show the article again, because its id changes from {} to {}.':
    'Feedreader zeigen den Artikel noch einmal, denn seine Kennung ändert sich von {} zu {}.',
  '{} is no address, as ids in feeds are. Feeds have it as it is, because readers compare texts, but do not validate.':
    '{} ist keine Adresse, wie es Kennungen in Feeds sind. Feeds haben sie so, wie sie ist, sind aber nicht gültig.',
  'The article has moved, and readers of feeds show it again, because it states no guid. Its id is {} now. "quoin feeds pin" writes the ids of articles into their files before they move.':
    'Der Artikel ist umgezogen, und Feedreader zeigen ihn noch einmal, denn er nennt keine guid. Seine Kennung ist jetzt {}. „quoin feeds pin“ schreibt die Kennungen in die Dateien, bevor Artikel umziehen.',
  'A page of type {} does not show sections.': 'Eine Seite der Art {} zeigt keine Abschnitte.',
  'last_updated must be a date such as 2026-03-01.': 'last_updated muss ein Datum sein, etwa 2026-03-01.',
  'Line {} of the front matter: {}': 'Zeile {} der Angaben am Anfang: {}',
  'The site has no language {}. Its languages are {}.':
    'Die Website hat die Sprache {} nicht. Ihre Sprachen sind {}.',
  'The theme has no layout {} to choose. Its layouts are {}.':
    'Das Design hat kein Layout {} zur Wahl. Es hat {}.',
  'The picture "{}…" was dropped, because it is written into the page. Save it as a file and write the name of the file.':
    'Das Bild „{}…“ fehlt, weil es in den Text geschrieben ist. Laden Sie es als Datei hoch und schreiben Sie deren Namen.',
  'The link {} was dropped: its URL is not allowed.': 'Der Link {} fehlt: Diese Adresse ist nicht erlaubt.',
  'action_url must begin with https: or mailto:; the form is left out.':
    'action_url muss mit https: oder mailto: beginnen; das Formular entfällt.',
  'There is no icon {}.{} Names of icons are at https://lucide.dev/icons.':
    'Es gibt kein Symbol {}. Die Namen stehen unter https://lucide.dev/icons.',
  'SVG is not read here. Save it as a file and write its address, or a name of Lucide.':
    'SVG geht hier nicht. Laden Sie es als Datei hoch und schreiben Sie deren Adresse, oder den Namen eines Symbols von Lucide.',
  '{} has dark colours only and cannot be seen on dark pages. Write "tone: mono" in the section, or the address of a light one as "dark" of the logo.':
    '{} hat nur dunkle Farben und ist auf dunklen Seiten nicht zu sehen. Schreiben Sie „tone: mono“ in den Abschnitt oder die Adresse eines hellen Logos als „dark“.',
  '{} is a page with a player, not a video. Write the address of a video, or show the player with ::youtube, ::vimeo or ::embed in a text.':
    '{} ist eine Seite mit einem Player, kein Video. Schreiben Sie die Adresse eines Videos, oder zeigen Sie den Player mit ::youtube, ::vimeo oder ::embed in einem Text.',
  'subroute is not a valid subroute.': 'subroute ist kein gültiger Pfad.',
  'Unknown section type {}; it is shown in a generic layout.{}':
    'Die Art {} von Abschnitt ist unbekannt; er erscheint in einem einfachen Layout.',
  'is missing.': 'fehlt.',
  'is not a whole number from {} to {}.': 'ist keine ganze Zahl von {} bis {}.',
  'must be true or false.': 'muss ja oder nein sein (true, false).',
  'must be a string.': 'muss ein Text sein.',
  'must be a number.': 'muss eine Zahl sein.',
  'must be an array.': 'muss eine Liste sein.',
  'must have at most {} sections.': 'darf höchstens {} Abschnitte haben.',
  'has more than {} characters.': 'hat mehr als {} Zeichen.',
  'includes pages that have more than {} MiB together. Include fewer or shorter ones.':
    'bindet Seiten ein, die zusammen mehr als {} MiB haben. Binden Sie weniger oder kürzere ein.',
  'shows more than 2 MiB of values of variables. Name them less often, or shorten them.':
    'zeigt mehr als 2 MiB an Werten von Variablen. Nennen Sie sie seltener, oder kürzen Sie sie.',
  'includes more than {} pages, with those that they include.':
    'bindet mehr als {} Seiten ein, mit denen, die sie selbst einbinden.',
  'is not the id of a page of this project.': 'ist keine Seite dieses Projekts.',
  'The project has no such page.': 'Das Projekt hat keine solche Seite.',
  '{} is missing.': '{} fehlt.',
  '{} is unknown and not shown.{}': '{} ist unbekannt und wird nicht gezeigt.',
  '{} is not a whole number from {} to {}.': '{} ist keine ganze Zahl von {} bis {}.',
  '{} must be true or false.': '{} muss ja oder nein sein (true, false).',
  '{} must be a string.': '{} muss ein Text sein.',
  '{} must be a number.': '{} muss eine Zahl sein.',
  '{} must be an array.': '{} muss eine Liste sein.',
  '{} must be an object.': '{} muss ein Objekt sein.',
  '{} must be one of {}.': '{} muss eines davon sein: {}.',
  'The HTML element {}> {}.': 'Das HTML-Element {}> {}.',
  'was removed with its content': 'wurde mit seinem Inhalt entfernt',
  'was removed; its content was kept': 'wurde entfernt; sein Inhalt ist geblieben',
  'The HTML element <{}> is never closed, so it contains the rest of the page. To show the tag as text, write `<{}>` in backticks.':
    'Das HTML-Element <{}> hat kein Ende und umfasst darum den Rest der Seite. Um es als Text zu zeigen, schreiben Sie `<{}>` zwischen Backticks.',
  'The attribute {} of <{}> was removed.': 'Das Attribut {} von <{}> wurde entfernt.',
  'The class {} of <{}> was removed{}.': 'Die Klasse {} von <{}> wurde entfernt.',
  'The formula {} was not rendered: {}.': 'Die Formel {} lässt sich nicht darstellen.',
  'The container {} stays text: {}': 'Der Kasten {} bleibt Text: {}',
  'no container has this name.{}': 'Kein Kasten heißt so.',
  'Code in {} is shown without colours: {}': 'Code in {} erscheint ohne Farben: {}',
  'The diagram {} is shown as its source: {}.': 'Das Diagramm {} erscheint als Quelltext: {}.',
  'there is no language of this name.{}': 'Keine Sprache heißt so.',
  'a page may have code in {} languages.': 'Eine Seite kann Code in {} Sprachen haben.',
  '{} must be {}, not {}.': '{} hat eine andere Art von Wert, nämlich {3}.',
  'a line opens more than 256 quotes and lists': 'Eine Zeile beginnt mehr als 256 Zitate und Listen',
  'a long paragraph holds too many character references':
    'Ein langer Absatz hat zu viele umschriebene Zeichen',
  'its references and tables expand too far': 'Verweise und Tabellen ergeben zu viel',
  'it is nested too deeply': 'Es ist zu tief verschachtelt',
  'its HTML grows too long': 'Das HTML wird zu lang',
  'no line with as many colons closes it.': 'Keine Zeile mit ebenso vielen Doppelpunkten beendet ihn.',
  'a space must precede its title, ":::{} Title".':
    'Vor seinem Titel muss ein Leerzeichen stehen, „:::{} Titel“.',
  'containers nest up to {} levels deep.': 'Kästen können bis zu {} Ebenen tief ineinander stehen.',
  'The directive {} {}': 'Die Anweisung {} {}',
  'stays text: {}': 'bleibt Text: {}',
  'has an attribute without effect, {}.{}': 'hat ein Attribut ohne Wirkung: {}.',
  'stays text: write it on one line of its own, as in ::video[Name]{src="intro.mp4"} or ::youtube[dQw4w9WgXcQ].':
    'bleibt Text: Schreiben Sie sie in eine eigene Zeile, etwa ::video[Name]{src="intro.mp4"} oder ::youtube[dQw4w9WgXcQ].',
  'put the value of {} between quotation marks.': 'Setzen Sie den Wert von {} in Anführungszeichen.',
  'it needs the address of a file, src="…".': 'Sie braucht die Adresse einer Datei, src="…".',
  'it needs the address of a page, url="https://…".': 'Sie braucht die Adresse einer Seite, url="https://…".',
  'write the id of a video or its address in the brackets, as in ::youtube[dQw4w9WgXcQ].':
    'Schreiben Sie die Kennung eines Videos oder seine Adresse in die Klammern, etwa ::youtube[dQw4w9WgXcQ].',
  'write the number of a video or its address in the brackets, as in ::vimeo[76979871].':
    'Schreiben Sie die Nummer eines Videos oder seine Adresse in die Klammern, etwa ::vimeo[76979871].',
  '"{}" looks like {}: {}': '„{}“ sieht aus wie {}: {}',
  'an admonition of MkDocs': 'ein Hinweis von MkDocs',
  'a tab of MkDocs': 'ein Reiter von MkDocs',
  'an alert': 'ein Hinweis',
  'a list of headings': 'ein Inhaltsverzeichnis',
  'a wiki link': 'ein Wiki-Link',
  'an attribute list': 'eine Liste von Attributen',
  'a footnote': 'eine Fußnote',
  'an abbreviation': 'eine Abkürzung',
  'a part of another file': 'ein Teil einer anderen Datei',
  'a key': 'eine Taste',
  'an icon of MkDocs': 'ein Symbol von MkDocs',
  'a comment of Obsidian': 'ein Kommentar von Obsidian',
  'the address of a file with a blank in its name': 'die Adresse einer Datei mit einem Leerzeichen im Namen',
  'a directive': 'eine Anweisung',
  'a formula of LaTeX': 'eine Formel von LaTeX',
  'no template language runs in pages. Write its result.':
    'In Seiten läuft keine Vorlagensprache. Schreiben Sie das Ergebnis.',
  'pages contain no components and no code. `quoin convert` maps those of known generators.':
    'Seiten enthalten weder Komponenten noch Code.',
  'write a container, `:::note` or `:::details`.': 'Schreiben Sie einen Kasten, `:::note` oder `:::details`.',
  'write a `:::tabs` container.': 'Schreiben Sie einen Kasten `:::tabs`.',
  'it is none of the five kinds, or folds. `:::details` folds.':
    'Er ist von keiner der fünf Arten oder klappt. `:::details` klappt.',
  'articles and docs pages have a list of their headings without it.':
    'Artikel und Doku-Seiten haben ohnehin ein Inhaltsverzeichnis.',
  'write `[text](/path)`.': 'Schreiben Sie `[Text](/pfad)`.',
  'only headings take one, an id as in `{#install}`. Write HTML where a class is needed.':
    'Nur Überschriften können eine haben, nämlich einen Namen wie in `{#install}`. Schreiben Sie HTML, wo eine Klasse nötig ist.',
  'no line `[^name]: …` on the page has its text.': 'Keine Zeile `[^name]: …` der Seite hat ihren Text.',
  'write `<abbr title="…">`.': 'Schreiben Sie `<abbr title="…">`.',
  'no other file becomes part of a page. Copy its text.':
    'Keine andere Datei wird Teil einer Seite. Kopieren Sie ihren Text.',
  'write `<kbd>`.': 'Schreiben Sie `<kbd>`.',
  'write an emoji, or a picture.': 'Schreiben Sie ein Emoji oder ein Bild.',
  'visitors see it. Write `<!-- … -->`.': 'Besucher sehen ihn. Schreiben Sie `<!-- … -->`.',
  'write it between angle brackets, as in `![Name](<a file.png>)`.':
    'Schreiben Sie sie zwischen spitze Klammern, etwa `![Name](<eine Datei.png>)`.',
  'only `::video{…}`, `::audio{…}`, `::youtube[…]`, `::vimeo[…]`, `::embed{…}` and, in `:::tabs`, `::tab[…]` are known.':
    'Bekannt sind nur `::video{…}`, `::audio{…}`, `::youtube[…]`, `::vimeo[…]`, `::embed{…}` und, in `:::tabs`, `::tab[…]`.',
  'write `$…$`, or `$$` on lines of their own above and below it.':
    'Schreiben Sie `$…$`, oder `$$` in eigenen Zeilen darüber und darunter.',

  // Rejected and failed publishes.
  'The database failed during the publish. The live site is unchanged and the edit is saved; try again.':
    'Die Datenbank ist während des Veröffentlichens ausgefallen. Die Website ist unverändert, Ihr Text ist gespeichert. Versuchen Sie es noch einmal.',
  'Publishing failed. The live site is unchanged and the edit is saved; try again.':
    'Das Veröffentlichen ist misslungen. Die Website ist unverändert, Ihr Text ist gespeichert. Versuchen Sie es noch einmal.',
  'The project was deleted while the request waited.': 'Das Projekt wurde inzwischen gelöscht.',
  'The page was deleted in the meantime.': 'Die Seite wurde inzwischen gelöscht.',
  'The page was deleted before it could be published.':
    'Die Seite wurde gelöscht, bevor sie veröffentlicht werden konnte.',
  'The page is not published.': 'Die Seite ist nicht veröffentlicht.',
  'Publishing failed several times and will not be retried. The live version of the page has not changed.':
    'Das Veröffentlichen ist mehrmals misslungen und wird nicht wiederholt. Was zu sehen ist, hat sich nicht geändert.',
  'The publish went on, but its end is not known; the page says whether it is live.':
    'Das Veröffentlichen ging weiter, aber sein Ende ist nicht bekannt; die Seite zeigt, ob sie zu sehen ist.',
  'Another published page (page_{}) is served at this path ({}). Change one of the two; pages that exchange their addresses must be published together, in one bulk publish.':
    'Unter {2} ist schon eine andere Seite veröffentlicht. Ändern Sie die Adresse einer der beiden. Seiten, die ihre Adressen tauschen, müssen zusammen veröffentlicht werden.',
  'Another published page (page_{}) is served at this path, and could not be published at its new one.':
    'Unter dieser Adresse ist noch eine andere Seite zu sehen, die an ihrer neuen nicht veröffentlicht werden konnte.',
  'The content key of this project was lost with the master key of the installation. Regenerate it first (POST /projects/:id/data-mode/regenerate-key); that encrypts every page with the new key.':
    'Der Inhaltsschlüssel dieses Projekts ging mit dem Hauptschlüssel des Dienstes verloren. Erzeugen Sie zuerst einen neuen (Data Mode); damit werden alle Seiten neu verschlüsselt.',
  'The file names of a page that is not encrypted yet are taken by previous files of other pages. Publish those pages again first.':
    'Die Dateinamen einer Seite, die noch nicht verschlüsselt ist, gehören noch früheren Dateien anderer Seiten. Veröffentlichen Sie zuerst diese Seiten noch einmal.',
  'The key was not changed, because files that pages show are lost in the media store and on the site: {}{}. Upload the same files again, or publish these pages without them, and regenerate the key then.':
    'Der Schlüssel wurde nicht geändert, weil Dateien verloren sind, die Seiten zeigen: {}{}. Laden Sie dieselben Dateien noch einmal hoch, oder veröffentlichen Sie diese Seiten ohne sie.',
  'Another request has replaced the content key since; use the key in the answer to that request.':
    'Inzwischen hat jemand anderes einen neuen Inhaltsschlüssel erzeugt. Es gilt der neuere.',
  'Too complex to render: {}.': 'Das ist zu aufwendig, um es darzustellen: {}.',
  'The page is too complex to render: it {}. Make it simpler, or split it.':
    'Die Seite ist zu aufwendig, um sie darzustellen. Vereinfachen oder teilen Sie sie.',
  'The page is too complex to render: its output is more than {} times as large as its source. Make it simpler, or split it.':
    'Die Seite ist zu aufwendig: Ihr HTML ist mehr als {}-mal so groß wie ihr Text. Vereinfachen oder teilen Sie sie.',
  'The server was too busy to render the page in time. Nothing changed on the site; try again.':
    'Der Dienst war zu beschäftigt, um die Seite rechtzeitig darzustellen. Die Website ist unverändert. Versuchen Sie es noch einmal.',
  'Rendering took too long: the service is busy, or other pages of the account come first. Try again.':
    'Das Darstellen hat zu lange gedauert: Der Dienst ist beschäftigt, oder andere Seiten des Kontos sind zuerst dran. Versuchen Sie es noch einmal.',
  'takes too long to read. Make it simpler.': 'zu lesen dauert zu lange. Vereinfachen Sie es.',
  'The theme {} is not installed on this server; choose another, or have it installed.':
    'Das Design {} ist hier nicht installiert. Wählen Sie ein anderes.',
  'Cancelled on request.': 'Abgebrochen, wie gewünscht.',
  'Cancelled: the page was {} in the meantime.': 'Abgebrochen: Die Seite wurde inzwischen geändert ({}).',
  'Cancelled: the page was archived.': 'Abgebrochen: Die Seite wurde archiviert.',
  'Cancelled: the publish was rescheduled.':
    'Abgebrochen: Für das Veröffentlichen gilt ein anderer Zeitpunkt.',
  '{} is uploading its last pages; it is too late to cancel it.':
    'Die letzten Seiten werden schon hochgeladen; zum Abbrechen ist es zu spät.',
  '{} publishes no pages; it cannot be cancelled.': 'Das lässt sich nicht abbrechen.',
  '{} has succeeded.': 'Das ist schon fertig.',
  '{} has failed.': 'Das ist schon misslungen.',
  '{} was cancelled.': 'Das ist schon abgebrochen.',
  'must be the id of a release of this page that went live.':
    'muss eine Fassung dieser Seite sein, die zu sehen war.',
  'Shorten the slug or the subroute.': 'Kürzen Sie die Adresse oder den Pfad.',
  'Shorten the short name of the author or the subroute of the blog.':
    'Kürzen Sie den Kurznamen des Autors oder den Pfad des Blogs.',
  'Shorten the tag or the subroute of its blog.': 'Kürzen Sie das Schlagwort oder den Pfad des Blogs.',

  // Deliveries of webhooks.
  'The receiver answered {}.': 'Der Empfänger hat mit {} geantwortet.',
  'The receiver did not reply completely within {} s.':
    'Der Empfänger hat innerhalb von {} Sekunden nicht vollständig geantwortet.',
  'The receiver asked to switch to another protocol.': 'Der Empfänger wollte ein anderes Protokoll.',
  'Only the first {} KB of the reply were read.': 'Von der Antwort wurden nur die ersten {} KB gelesen.',
  '{} has no address.': '{} hat keine Adresse.',
  'The name {} could not be looked up: the name server gave no answer.':
    'Der Name {} war nicht zu finden: Der Nameserver hat nicht geantwortet.',
  'The site still leads {} to {}. Choose another path.':
    'Die Website leitet {} noch nach {}. Wählen Sie einen anderen Pfad.',
  '{} leads to an address that is private or reserved.':
    '{} führt zu einer privaten oder vorbehaltenen Adresse.',
  'must not lead to an address that is private or reserved.':
    'darf nicht zu einer privaten oder vorbehaltenen Adresse führen.',
  'must be a URL such as https://example.com/hooks.':
    'muss eine Webadresse sein, etwa https://example.com/hooks.',
  'must begin with https://.': 'muss mit https:// beginnen.',
  'must not hold a user name or password; check the signature instead.':
    'darf weder Benutzernamen noch Passwort enthalten. Prüfen Sie stattdessen die Signatur.',
  'connect ECONNREFUSED {}': 'Der Empfänger nimmt keine Verbindung an ({}).',
  'getaddrinfo {}': 'Der Name des Empfängers wurde nicht gefunden ({}).',
  'read ECONNRESET': 'Der Empfänger hat die Verbindung abgebrochen.',
  'socket hang up': 'Der Empfänger hat die Verbindung geschlossen, ohne zu antworten.',
  'self-signed certificate': 'Das Zertifikat des Empfängers ist von ihm selbst ausgestellt.',
  'certificate has expired': 'Das Zertifikat des Empfängers ist abgelaufen.',

  // Proofs of domains.
  'There is no TXT record {}.': 'Es gibt keinen TXT-Eintrag {}.',
  'No TXT record of {} holds {}.': 'Kein TXT-Eintrag von {} enthält {}.',
  'The name servers did not answer for {} ({}).': 'Die Nameserver haben für {} nicht geantwortet ({}).',
  'There is no TXT record {}. {}: {}': 'Es gibt keinen TXT-Eintrag {}. {}: {}',
  'No TXT record of {} holds {}. {}: {}': 'Kein TXT-Eintrag von {} enthält {}. {}: {}',
  'The name servers did not answer for {} ({}). {}: {}':
    'Die Nameserver haben für {} nicht geantwortet ({}). {}: {}',
  'no answer.': 'keine Antwort.',
  'answered {}.': 'hat mit {} geantwortet.',
  'has other content.': 'hat einen anderen Inhalt.',
  'Another account has proved this domain.': 'Ein anderes Konto hat diese Domain bestätigt.',

  // Images and files.
  'The picture is damaged or incomplete: it cannot be decoded to its end. Save it again, or upload it once more.':
    'Das Bild ist beschädigt oder unvollständig. Speichern Sie es neu, oder laden Sie es noch einmal hoch.',
  'The picture is too costly to decode: it {}. Save it smaller, and not progressive.':
    'Das Bild ist zu aufwendig. Speichern Sie es kleiner und nicht progressiv.',
  'The server was too busy to read the picture in time. Try again.':
    'Der Dienst war zu beschäftigt, um das Bild zu lesen. Versuchen Sie es noch einmal.',
  'The picture has {} bytes, more than {}. Save it smaller or with less quality.':
    'Das Bild hat {} Bytes, mehr als {}. Speichern Sie es kleiner oder mit geringerer Qualität.',
  'The file is no JPEG, PNG, GIF, WebP, AVIF or SVG: its first bytes are those of another type.':
    'Die Datei ist kein JPEG, PNG, GIF, WebP, AVIF oder SVG, auch wenn sie so heißt.',
  'The picture has no pixels.': 'Das Bild ist leer.',
  'The picture has {} frames, more than {}. Make it shorter, or use a video.':
    'Das Bild hat {} Einzelbilder, mehr als {}. Kürzen Sie es, oder nehmen Sie ein Video.',
  'The picture is {} × {} pixels, more than {} on one side. Make it smaller.':
    'Das Bild hat {} × {} Pixel, mehr als {} auf einer Seite. Verkleinern Sie es.',
  'The picture is {} × {} pixels{}, more than {} megapixels in all. Make it smaller.':
    'Das Bild hat {} × {} Pixel, mehr als {4} Megapixel. Verkleinern Sie es.',
  'The JPEG has more than {} scans. Save it again, not progressive.':
    'Das JPEG hat mehr als {} Durchgänge. Speichern Sie es neu, nicht progressiv.',
  'The SVG has more than {} MB. Simplify it, or export it as PNG.':
    'Das SVG hat mehr als {} MB. Vereinfachen Sie es, oder speichern Sie es als PNG.',
  'The SVG has more than {} elements and attributes. Simplify it, or export it as PNG.':
    'Das SVG hat mehr als {} Elemente und Attribute. Vereinfachen Sie es, oder speichern Sie es als PNG.',
  'The SVG ends before its last element does. Export it again.':
    'Das SVG bricht ab. Speichern Sie es noch einmal.',
  'The SVG is nested too deeply. Simplify it.': 'Das SVG ist zu tief verschachtelt. Vereinfachen Sie es.',
  'The file is no SVG: its first element is not "svg".': 'Die Datei ist kein SVG.',
  'The SVG has elements behind its end. Export it again.':
    'Das SVG geht nach seinem Ende weiter. Speichern Sie es noch einmal.',
  'The SVG has text outside its elements. Export it again.':
    'Das SVG hat Text außerhalb seiner Elemente. Speichern Sie es noch einmal.',
  'The SVG is not well-formed XML: </{}> closes nothing. Export it again.':
    'Das SVG ist fehlerhaft: </{}> schließt nichts. Speichern Sie es noch einmal.',
  'The SVG is not well-formed XML at line {}, so browsers would not show it. Export it again.':
    'Das SVG ist in Zeile {} fehlerhaft, kein Browser würde es zeigen. Speichern Sie es noch einmal.',
  'The SVG draws its parts too often: they refer to each other many times. Simplify it.':
    'Das SVG zeichnet seine Teile zu oft. Vereinfachen Sie es.',
  'The SVG is {} × {} pixels, more than {} on one side. Give it a smaller width and height.':
    'Das SVG hat {} × {} Pixel, mehr als {} auf einer Seite. Geben Sie ihm eine kleinere Breite und Höhe.',
  'The file is larger than the {} MB that a file of this kind may have.':
    'Die Datei ist größer als die {} MB, die eine solche Datei haben darf.',
  'The service has no room for uploads now.': 'Der Dienst hat gerade keinen Platz für weitere Dateien.',
  'The bytes of this asset are missing in the media store. Upload the same file again, or let the operator restore the media store from a backup.':
    'Der Inhalt dieser Datei fehlt im Speicher. Laden Sie dieselbe Datei noch einmal hoch, oder wenden Sie sich an den Betreiber.',
  'The file is lost in the media store. Upload the same file again, or let the operator restore it from a backup.':
    'Der Inhalt dieser Datei fehlt im Speicher. Laden Sie dieselbe Datei noch einmal hoch, oder wenden Sie sich an den Betreiber.',
  'another asset of the project has the name {}.': 'so heißt schon eine andere Datei ({}).',
  'The same bytes are being deleted at this moment. Upload them again.':
    'Dieselbe Datei wird gerade gelöscht. Laden Sie sie noch einmal hoch.',
  'The form has too many parts.': 'Das Formular hat zu viele Teile.',
  'The form is malformed or ended early.':
    'Das Formular ist unvollständig angekommen. Senden Sie es noch einmal.',
  'The upload ended early.': 'Die Datei ist unvollständig angekommen. Laden Sie sie noch einmal hoch.',
  'must be given once.': 'darf nur einmal da sein.',
  'must be a SHA-256 in 64 lowercase hex digits.': 'muss ein SHA-256 aus 64 Hexadezimalziffern sein.',

  // Limits of an account.
  'Delete a project, or ask the operator of the service for a higher limit.':
    'Löschen Sie ein Projekt, oder bitten Sie den Betreiber um eine höhere Grenze.',
  'Delete pages of the project, or ask the operator of the service for a higher limit.':
    'Löschen Sie Seiten des Projekts, oder bitten Sie den Betreiber um eine höhere Grenze.',
  'Delete or shorten pages, or ask the operator of the service for a higher limit.':
    'Löschen oder kürzen Sie Seiten, oder bitten Sie den Betreiber um eine höhere Grenze.',
  'Older releases are deleted within an hour. Publish less often, delete projects, or ask the operator of the service for a higher limit.':
    'Ältere Fassungen werden innerhalb einer Stunde gelöscht. Veröffentlichen Sie seltener, löschen Sie Projekte, oder bitten Sie den Betreiber um eine höhere Grenze.',
  'Delete pictures and files, or ask the operator of the service for a higher limit.':
    'Löschen Sie Bilder und Dateien, oder bitten Sie den Betreiber um eine höhere Grenze.',
  'Delete a webhook, or ask the operator of the service for a higher limit.':
    'Löschen Sie einen Webhook, oder bitten Sie den Betreiber um eine höhere Grenze.',
  'Remove a member, or ask the operator of the service for a higher limit.':
    'Entfernen Sie ein Mitglied, oder bitten Sie den Betreiber um eine höhere Grenze.',
  'Wait until a job ends, or cancel scheduled publishes.':
    'Warten Sie, bis eine Arbeit endet, oder sagen Sie geplante Veröffentlichungen ab.',

  // The service is busy, or another request was first.
  'The database could not take the change within {} s, because {}. Nothing was changed; try again.':
    'Die Datenbank konnte das innerhalb von {} Sekunden nicht speichern. Nichts wurde geändert. Versuchen Sie es noch einmal.',
  'The database was lost while it stored the change. It is unknown whether it did; look before you try again.':
    'Die Verbindung zur Datenbank ging beim Speichern verloren. Sehen Sie nach, ob es gespeichert ist, bevor Sie es noch einmal versuchen.',
  'The database takes no writes now. Try again.':
    'Die Datenbank nimmt gerade keine Änderungen an. Versuchen Sie es noch einmal.',
  'The database cannot be reached. Try again.':
    'Die Datenbank ist nicht erreichbar. Versuchen Sie es noch einmal.',
  'The database is too busy. Try again.': 'Die Datenbank ist überlastet. Versuchen Sie es noch einmal.',
  'Another request created a project with this name at the same time; try again.':
    'Gleichzeitig wurde ein Projekt mit diesem Namen angelegt. Versuchen Sie es noch einmal.',
  'The service holds as much for other requests as its memory allows. Try again in {} s, with fewer requests at once.':
    'Der Dienst ist ausgelastet. Versuchen Sie es in {} Sekunden wieder.',
  'The session has ended. Sign in again.': 'Die Sitzung ist zu Ende. Melden Sie sich noch einmal an.',
  'The service lost the key with which it checks codes of apps. Use a recovery code, or ask its operator.':
    'Der Dienst kann Codes von Apps nicht mehr prüfen. Nehmen Sie einen Ersatzcode, oder wenden Sie sich an den Betreiber.',
  'The passkey was refused, or the page was open for too long. Try again.':
    'Der Passkey wurde abgelehnt, oder die Seite war zu lange offen. Versuchen Sie es noch einmal.',
  'Too many secrets of before are accepted for this key. Rotate it with 0 hours, which ends all of them.':
    'Zu viele frühere Geheimnisse dieses Schlüssels gelten noch. Ersetzen Sie es mit 0 Stunden, dann enden alle.',
  'A webhook has at most {} secrets that sign. The oldest one ends within a day.':
    'Bei einem Webhook unterschreiben höchstens {} Geheimnisse. Das älteste endet innerhalb eines Tages.',
  'This link was used already, was replaced by a newer one, or is older than 24 hours. Ask for another one: quoin users set-up <email>.':
    'Dieser Link wurde schon benutzt, durch einen neueren ersetzt oder ist älter als 24 Stunden. Bitten Sie um einen neuen.',
  'The API key does not exist any more.': 'Diesen API-Schlüssel gibt es nicht mehr.',
  'The request body is larger than 5 MiB.': 'Das Formular ist größer als 5 MiB.',
  'The request body arrives in too many small chunks.': 'Das Formular kam in zu vielen kleinen Teilen an.',
  'The request body ended early.': 'Das Formular ist unvollständig angekommen. Senden Sie es noch einmal.',
  'hosting.slugs: standard addresses hold only ASCII letters, digits and hyphens, which these do not: {}{}. Change or delete them first.':
    'Diese Adressen haben andere Zeichen als Buchstaben von A bis Z, Ziffern und Bindestriche: {}{}. Ändern oder löschen Sie sie zuerst.',
}
