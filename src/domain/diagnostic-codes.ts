export type Severity = 'error' | 'warning'

/** A stable name for one kind of diagnostic. Released codes are never renamed or reused. */
export type DiagnosticCode = keyof typeof CODES

export interface CodeEntry {
  readonly severity: Severity
  /** The error or warning, in one sentence. */
  readonly meaning: string
  /** The fix, in one or two sentences. */
  readonly fix: string
}

/** The documentation page "Diagnostics" lists this table, in this order. */
const CODES = {
  // Files of a content folder.
  'QN-NO-SITE-FILE': {
    severity: 'error',
    meaning: 'The folder has no `site.yaml`.',
    fix: 'Create one that holds the name of the site, or run `quoin init` or `quoin convert`.',
  },
  'QN-UNKNOWN-FILE': {
    severity: 'warning',
    meaning: 'A file in `themes/` belongs to no theme, and is not used.',
    fix: 'Add the `theme.json` of its theme, or move the file out of `themes/`.',
  },
  'QN-NOT-A-FILE': {
    severity: 'warning',
    meaning: 'An entry of the folder is a symbolic link, a socket or a device, and is left out.',
    fix: 'Replace a link with a copy of the file, or remove it.',
  },
  'QN-PRIVATE-FILE': {
    severity: 'warning',
    meaning:
      'A file in `static/` is not published, because files of this name hold private keys, passwords or settings of tools.',
    fix: 'Move it out of the folder. If everybody may read it, rename it.',
  },
  'QN-SEALED-FILE': {
    severity: 'warning',
    meaning:
      'A style sheet or an SVG of a site in Data Mode names a file that it will not find: files are published encrypted.',
    fix: 'Embed the file as a `data:` address, or let the page name it.',
  },
  'QN-NO-CARDS': {
    severity: 'warning',
    meaning:
      '`social_cards` asks for pictures for link previews, and none can be drawn where the build runs.',
    fix: 'Install the package `sharp` for that system with `npm install --include=optional`, or set `social_cards` to `none`.',
  },
  'QN-BAD-PICTURE': {
    severity: 'warning',
    meaning: 'A picture is damaged, too large or of another type than its name says, and is served as it is.',
    fix: 'Save it again, smaller if the message says so. Pictures that can be read get smaller files for small screens.',
  },
  'QN-FILE-TOO-LARGE': {
    severity: 'error',
    meaning: 'A page is larger than 5 MiB, or another file of the site larger than 100 MiB.',
    fix: 'Make it smaller, or host it elsewhere and link to it.',
  },
  'QN-BAD-OPENAPI': {
    severity: 'error',
    meaning: 'A description of an API cannot be made into pages, or `::openapi` cannot find it.',
    fix: 'The message says what to change: only OpenAPI 3.0 and 3.1 in one file are read, as JSON or YAML, up to 32 MiB and 2,000 operations.',
  },
  'QN-DEAD-URL': {
    severity: 'warning',
    meaning: 'A link leads to an address of another site that does not exist, as `quoin check-links` found.',
    fix: 'Correct or remove the link. If the address exists for you, add it to `skip_links` in `site.yaml`.',
  },
  'QN-TOO-MANY-FILES': {
    severity: 'error',
    meaning: 'The folder holds more than 20,000 files.',
    fix: 'Split the site, or move files out of the folder.',
  },
  'QN-TOO-DEEP': {
    severity: 'error',
    meaning: 'Folders are nested more than 8 levels deep.',
    fix: 'Move the files to a folder with fewer levels.',
  },
  'QN-BAD-ENCODING': {
    severity: 'error',
    meaning: 'A text file is not valid UTF-8.',
    fix: 'Save the file as UTF-8.',
  },
  'QN-UNREADABLE': {
    severity: 'error',
    meaning: 'The system refused to read a file or a folder.',
    fix: 'Check that it exists and that its permissions allow reading.',
  },
  'QN-BAD-ASSET-NAME': {
    severity: 'error',
    meaning:
      'The name of a file that the site serves has a character that systems or URLs do not allow, or Quoin writes a file of that name itself.',
    fix: 'Rename the file.',
  },
  'QN-BAD-SKILL': {
    severity: 'error',
    meaning:
      'An agent skill, `skills/{name}/SKILL.md`, lacks its name, its description or its text, or one of them is not as the format of skills allows.',
    fix: 'Correct the field at the line in the message.',
  },
  'QN-BAD-ADDRESS': {
    severity: 'error',
    meaning:
      'A page has no valid address: its file or folder name holds other characters than letters, digits, hyphens, `_` and `.`, or is too long.',
    fix: 'Rename the file or the folder, or write a `slug` or `subroute` in the page.',
  },
  'QN-DUPLICATE-PATH': {
    severity: 'error',
    meaning:
      'Two pages or files of the site have the same path, or paths that many systems take for the same.',
    fix: 'Rename one of them, or give one another `slug` or `subroute`.',
  },

  'QN-NO-FRONT-PAGE': {
    severity: 'warning',
    meaning: 'The site has no page at `/`: visitors of its address get the page for unknown paths.',
    fix: 'Add an `index.md` or an `index.yaml` at the top of the folder, or give the page that visitors should see first `slug: index` and an empty `subroute`.',
  },

  // Fields and front matter.
  'QN-NO-FRONT-MATTER': {
    severity: 'error',
    meaning:
      'The front matter of a Markdown file does not end, is not at the start of the file, is in TOML or JSON, or between other lines than `---`.',
    fix: 'Write YAML fields between two lines of `---`, or none.',
  },
  'QN-BAD-YAML': {
    severity: 'error',
    meaning: 'YAML or JSON cannot be parsed, or does not hold names and values.',
    fix: 'Correct the syntax at the reported position. Quote text that begins with a special character.',
  },
  'QN-UNKNOWN-FIELD': {
    severity: 'error',
    meaning: 'A field does not exist in this kind of file.',
    fix: 'Correct the name, or remove the field. `quoin schema` prints all fields.',
  },
  'QN-MISSING-FIELD': {
    severity: 'error',
    meaning: 'A required field is missing.',
    fix: 'Add the field.',
  },
  'QN-BAD-VALUE': {
    severity: 'error',
    meaning: 'The value of a field is not allowed.',
    fix: 'Write a value of the kind that the message describes.',
  },
  'QN-BAD-SECTION': {
    severity: 'error',
    meaning: '`sections` is not a list of sections, or one of them has an invalid structure.',
    fix: 'Correct the structure that the message describes.',
  },
  'QN-BAD-DATA': {
    severity: 'error',
    meaning:
      'A file in `data/` has a name that templates cannot use or that is taken, an author or a term of the glossary has an invalid value, or the data are too large.',
    fix: 'Rename the file, correct the value that the message names, or leave out values that no template needs.',
  },
  'QN-BAD-CSS': {
    severity: 'error',
    meaning: '`custom_css` is not valid CSS.',
    fix: 'Correct the style sheet at the line and column in the message.',
  },
  'QN-UNKNOWN-THEME': {
    severity: 'error',
    meaning: 'A theme with this name is not installed.',
    fix: 'Correct the name, or add the theme to `themes/`.',
  },
  'QN-BAD-PARENT': {
    severity: 'error',
    meaning: '`parent` names no docs page, more than one, or leads back to the page itself.',
    fix: 'Write the slug of one docs page, or its subroute and slug.',
  },
  'QN-BAD-DOCS-NAV': {
    severity: 'error',
    meaning: 'An entry of `docs_nav` names no docs page, or more than one.',
    fix: 'Write the slug of one docs page, or its subroute and slug.',
  },
  'QN-REDIRECT-CONFLICT': {
    severity: 'error',
    meaning:
      'A path of `redirect_from` or `redirects.yaml` is already the path of a page, a file or another redirect, or leads back to itself.',
    fix: 'Remove the path from one of them, or let it lead to something else.',
  },

  // Content of pages.
  'QN-DEADLINK': {
    severity: 'warning',
    meaning: 'A link or an image leads to a page or file that the site does not have.',
    fix: 'Correct the link, or add the page or the file.',
  },
  'QN-DEAD-ANCHOR': {
    severity: 'warning',
    meaning: 'The `#fragment` of a link matches no heading or id of the page that it leads to.',
    fix: 'Correct the fragment, or give the heading this id.',
  },
  'QN-UNSAFE-LINK': {
    severity: 'warning',
    meaning: 'A link was removed because its URL has a scheme that is not allowed, or is not a URL.',
    fix: 'Use an `https`, `http`, `mailto` or `tel` URL, or a path.',
  },
  'QN-DATA-IMAGE': {
    severity: 'warning',
    meaning: 'A picture is written into a page as a `data:` URL, and is not shown.',
    fix: 'Save the picture as a file and write its name: next to the page in a content folder, or `/media/` and the name of an upload in a page of the API.',
  },
  'QN-DROPPED-HTML': {
    severity: 'warning',
    meaning: 'An HTML element, an attribute or a class that is not allowed was removed from Markdown.',
    fix: 'Remove the element, or write the same in Markdown.',
  },
  'QN-UNCLOSED-HTML': {
    severity: 'warning',
    meaning: 'An HTML element in Markdown is never closed and contains the rest of the page.',
    fix: 'Close the element, or put it in backticks to show it as text.',
  },
  'QN-BAD-DIAGRAM': {
    severity: 'warning',
    meaning: 'A diagram of Mermaid cannot be drawn and is shown as its source.',
    fix: 'Correct it, split it, or link to a picture. Flowcharts, states, sequences, classes and entities are drawn.',
  },
  'QN-BAD-FORMULA': {
    severity: 'warning',
    meaning: 'A formula cannot be typeset and is shown as it was written.',
    fix: 'Correct the TeX, or escape the dollar sign.',
  },
  'QN-PLAIN-CODE': {
    severity: 'warning',
    meaning:
      'The language of a code block is unknown, or the page has code in too many languages. The code is shown without colours.',
    fix: 'Correct the name of the language. For plain text write `text`.',
  },
  'QN-BAD-CONTAINER': {
    severity: 'warning',
    meaning: 'A `:::` container is unknown, nested too deeply or never closed, and is shown as text.',
    fix: 'Correct the name of the container, or close it with a line of `:::`.',
  },
  'QN-BAD-DIRECTIVE': {
    severity: 'warning',
    meaning:
      'A `::video`, `::audio`, `::youtube`, `::vimeo` or `::embed` line names no file, video or page, has a value without quotation marks or an unknown attribute; or a `::card` or `::field` line has an unknown attribute or an icon that does not exist. Without what it shows it stays text.',
    fix: 'Write it on one line, as in `::video[Name]{src="intro.mp4" poster="first.jpg"}`.',
  },
  'QN-UNKNOWN-COMPONENT': {
    severity: 'warning',
    meaning:
      'A line has the form of a component, `::name[Label]{attribute="value"}`, and the theme has none of this name. It stays text.',
    fix: 'Correct the name, or add the component to a theme of your own. Text that is meant as such goes in backticks.',
  },
  'QN-BAD-COMPONENT': {
    severity: 'warning',
    meaning:
      'An attribute of a component is missing, unknown or has a value that its description does not allow, or its label or Markdown is missing. What cannot be shown as a component is shown as prose.',
    fix: 'Write what the message says. `components/{name}.yaml` in the theme describes the attributes of each component.',
  },
  'QN-BAD-INCLUDE': {
    severity: 'error',
    meaning:
      'A page includes a text that does not exist, cannot be read or lacks the part that the line names; or it includes too much. The line stays text.',
    fix: 'Write what the message says. In a content folder the path leads from the file of the page, and from the folder where it begins with `/`.',
  },
  'QN-INCLUDE-LOOP': {
    severity: 'error',
    meaning: 'Texts include each other in a circle, which the message names.',
    fix: 'Remove one of the lines, or include a part that does not include the other text.',
  },
  'QN-UNKNOWN-VARIABLE': {
    severity: 'warning',
    meaning:
      'A page names a variable that the setting `variables` does not have, and whose name is nearly that of one. It stays text.',
    fix: 'Correct the name, or declare it in `variables`.',
  },
  'QN-UNKNOWN-LOCALE': {
    severity: 'warning',
    meaning:
      'A page states a `locale` that the setting `locales` does not have. It is shown in the language of its address.',
    fix: 'Write one of the languages in the message, or add the language to `locales`.',
  },
  'QN-FOREIGN-SYNTAX': {
    severity: 'warning',
    meaning:
      'Markdown contains syntax of another tool, such as a template tag, an MDX component, `!!! note` or `[[link]]`. It is shown as text.',
    fix: 'Write what the message says, or put it in backticks if it is meant as text. Each kind is reported once a page.',
  },
  'QN-UNKNOWN-SECTION': {
    severity: 'warning',
    meaning: 'The type of a section is unknown. The section is shown in a plain form.',
    fix: 'Correct the type. The reference lists all sections.',
  },
  'QN-UNKNOWN-LAYOUT': {
    severity: 'warning',
    meaning: 'The theme does not have the layout of a page, which is shown in the one of its type.',
    fix: 'Name one of the layouts in the message, or add the layout to a theme of your own.',
  },
  'QN-BAD-PROP': {
    severity: 'warning',
    meaning: 'A prop of a section is unknown, missing or has a value that is not shown.',
    fix: 'Correct or remove the prop. The reference lists the props of each section.',
  },
  'QN-WRONG-TYPE': {
    severity: 'warning',
    meaning:
      'A custom field of a page, or a prop of a section that only the theme has, has another type than the theme declares.',
    fix: 'Write a value of the type in the message, or correct the type in `theme.json`.',
  },
  'QN-BAD-FRONT-MATTER': {
    severity: 'warning',
    meaning: 'Front matter in the Markdown of an API page cannot be read and is ignored.',
    fix: 'Correct the YAML, or send the values as fields of the page.',
  },
  'QN-BAD-DATE': {
    severity: 'warning',
    meaning: 'A date cannot be read and is not shown.',
    fix: 'Write it like `2026-03-01`.',
  },
  'QN-FUTURE-DATE': {
    severity: 'warning',
    meaning:
      'The date of an article is in the future. A build leaves the article out until then; the API publishes it at once.',
    fix: 'Correct the date, build again after it, or include such articles with `--future`. Through the API schedule the publish with `publish_at`.',
  },
  'QN-FEED-ID': {
    severity: 'warning',
    meaning:
      'The id that feeds have of an article changes, or has followed its path to a new one, so that readers show it again; or it is no address, as ids in feeds are.',
    fix: 'State the former id as `guid`. `quoin feeds pin` writes the ids of all articles into their files, before they move.',
  },
  'QN-UNUSED-CONTENT': {
    severity: 'warning',
    meaning: 'The type of the page does not show sections.',
    fix: 'Change the type of the page, or remove the content that is not shown.',
  },
  'QN-REPLACED-LIST': {
    severity: 'warning',
    meaning:
      'A page has the address of the list of a tag, which is not written then, and neither is its feed.',
    fix: 'Give the page another address, unless it is meant to replace the list.',
  },
  'QN-DEAD-REDIRECT': {
    severity: 'warning',
    meaning:
      'A redirect leads to a page, list, feed or file that the site does not have, so that its path answers 404.',
    fix: 'Let it lead to something that the site has, or add that.',
  },
  'QN-UNUSED-REDIRECT': {
    severity: 'warning',
    meaning: 'A path of `redirect_from` does not lead to the page: it is invalid, taken, or one too many.',
    fix: 'Correct or remove the path.',
  },

  // Themes.
  'QN-BAD-THEME': {
    severity: 'error',
    meaning: 'A theme cannot be loaded: its `theme.json` or another of its files is missing or invalid.',
    fix: 'Correct the file at the reported position.',
  },
  'QN-BAD-TEMPLATE': {
    severity: 'error',
    meaning: 'A template does not compile, or fails while it renders a page.',
    fix: 'Correct the template at the reported line.',
  },
  'QN-RENDER-FAILED': {
    severity: 'error',
    meaning: 'A page could not be rendered.',
    fix: 'Correct the template or the page that the message names.',
  },
  'QN-UNKNOWN-NAME': {
    severity: 'error',
    meaning: 'A template reads a name that it is not given.',
    fix: 'Correct the name. The reference on themes lists the names of each template.',
  },
  'QN-UNESCAPED': {
    severity: 'error',
    meaning: 'A template prints text as HTML without escaping it.',
    fix: 'Write `<%= %>` instead of `<%~ %>`.',
  },
  'QN-ACCESSIBILITY': {
    severity: 'error',
    meaning: 'A page of the theme is not usable by everyone, e.g. a field has no label.',
    fix: 'Change the template as the message says.',
  },
  'QN-READING-ORDER': {
    severity: 'warning',
    meaning: 'The order of headings or of keyboard focus differs from the order of the page.',
    fix: 'Do not skip levels of headings, and do not use a `tabindex` above 0.',
  },
  'QN-CONTENT-POLICY': {
    severity: 'error',
    meaning: 'The content security policy of pages blocks a style, a script or an attribute of a template.',
    fix: 'Move styles to `style.css`, and remove scripts.',
  },
  'QN-UNCHECKED-LINK': {
    severity: 'error',
    meaning: 'A template prints an address that an author wrote, and nothing checked it.',
    fix: 'Print `it.href(…)` of it, which is null for an address that is not allowed.',
  },
  'QN-LOW-CONTRAST': {
    severity: 'error',
    meaning: 'Two colours of the theme are too similar for text.',
    fix: 'Change one of the colours until the contrast is at least 4.5:1.',
  },
  'QN-BAD-TOKEN': {
    severity: 'error',
    meaning: 'A token is unknown, missing or has an invalid value.',
    fix: 'Correct the token in `theme.json`.',
  },
  'QN-BAD-STYLE': {
    severity: 'error',
    meaning: 'The style sheet of a theme has a syntax error, or loads something that pages may not load.',
    fix: 'Correct the style sheet at the reported line.',
  },
  'QN-LARGE-STYLE': {
    severity: 'warning',
    meaning: 'The style sheet of a theme is larger than 12 KiB compressed, or 18 KiB with that of sections.',
    fix: 'Remove rules that are not needed.',
  },
  'QN-UNUSED-FILE': {
    severity: 'warning',
    meaning: 'No page uses this file of a theme.',
    fix: 'Remove the file, or correct its name.',
  },

  // Transfer to and from a server.
  'QN-CONFLICT': {
    severity: 'error',
    meaning: 'A page or the settings changed on the server since the last transfer, and were not replaced.',
    fix: 'Copy the change into the file, or run the command with `--force`.',
  },
  'QN-OTHER-SITE': {
    severity: 'error',
    meaning:
      'The folder was last pushed under another name, so it may be a copy of another site. Nothing was sent.',
    fix: 'Name the project with `--project` if the site was renamed, or give the copy an id of its own with `quoin new-id`.',
  },
  'QN-BEHIND': {
    severity: 'error',
    meaning: 'The project has a newer commit of the folder than the one that is pushed. Nothing was sent.',
    fix: 'Update the folder and push again, or push the older state with `--force`.',
  },
  'QN-REFUSED': {
    severity: 'error',
    meaning: 'The server refused a page, a file or a setting.',
    fix: 'Change it as the message says, and run the command again.',
  },
  'QN-NOT-SENT': {
    severity: 'warning',
    meaning:
      'A page uses a file of the folder that `quoin push` could not send, so it will be missing on the site.',
    fix: 'Read the message: rename or correct the file, or name it where a page can. `--allow-missing-files` accepts it.',
  },
  'QN-SERVER-WARNING': {
    severity: 'warning',
    meaning:
      'The server reported a warning about a page under a code that this version of Quoin does not know.',
    fix: 'Read the message, or install the version of Quoin that the server runs.',
  },
  'QN-NOT-EXPORTED': {
    severity: 'warning',
    meaning: 'A part of a project cannot be written to a folder, or is in the manifest only.',
    fix: 'Read the message: it names the part that is missing in the folder.',
  },

  // Conversion from other generators.
  'QN-SOURCE-UNREADABLE': {
    severity: 'warning',
    meaning: 'A file of the source site could not be read and was left out.',
    fix: 'Correct the file and convert again, or copy its content by hand.',
  },
  'QN-NOT-CONVERTED': {
    severity: 'warning',
    meaning: 'Something of the source site has no counterpart and was left out.',
    fix: 'Write it again in the new folder if the site needs it.',
  },
  'QN-PARTLY-CONVERTED': {
    severity: 'warning',
    meaning: 'Something of the source site was converted in part.',
    fix: 'Check the page and complete it.',
  },
  'QN-UNKNOWN-ICON': {
    severity: 'warning',
    meaning: 'An `icon` of a section is neither a short text, a name of Lucide nor the address of a picture.',
    fix: 'Write a name from <https://lucide.dev/icons>, an emoji, or the address of a picture.',
  },
  'QN-DARK-LOGO': {
    severity: 'warning',
    meaning:
      'A logo of a section is a drawing with dark colours only, which readers of dark pages cannot see.',
    fix: 'Write `tone: mono` in the section, or the address of a light logo as `dark` of the logo.',
  },
  'QN-NOT-A-VIDEO': {
    severity: 'warning',
    meaning: 'The `video` of a section is a page of YouTube, Vimeo or the like, which a player cannot open.',
    fix: 'Write the address of a video, or show the player with `::youtube`, `::vimeo` or `::embed` in a text.',
  },
  'QN-UNREAD-FIELD': {
    severity: 'warning',
    meaning: 'Quoin does not know a field, and no template reads it. It stays in the `config` of its pages.',
    fix: 'Correct the name, remove the field, or read `it.page.config` in a template of your own.',
  },
  'QN-HIDDEN-PAGE': {
    severity: 'warning',
    meaning:
      'The source site does not publish a page: it is excluded, future, expired or without an address.',
    fix: 'Remove `draft` from the page if it should be published, or the file if not.',
  },
  'QN-MOVED-PAGE': {
    severity: 'warning',
    meaning: 'A page has another address than in the source site, and no redirect leads to it.',
    fix: 'Write the previous path as `redirect_from` in the page.',
  },
} as const satisfies Record<string, CodeEntry>

export const DIAGNOSTIC_CODES: Readonly<Record<DiagnosticCode, CodeEntry>> = CODES

export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(CODES, text)
}
