import type { projectWords as en } from '../en/project.ts'
import { number } from './formats.ts'

export const projectWords: typeof en = {
  projects: {
    title: 'Projekte',
    create: 'Neues Projekt',
    empty: 'Noch keine Projekte',
    emptyLead:
      'Ein Projekt ist eine Website: ihre Seiten, Bilder und Einstellungen. Legen Sie eines an, schreiben Sie eine Seite und veröffentlichen Sie sie.',
    noMatch: 'Kein Projekt heißt so.',
    name: 'Name',
    nameHint: 'Sie können ihn später ändern.',
    pages: (count) => (count === 1 ? '1 Seite' : `${number(count)} Seiten`),
    status: { active: 'Aktiv', archived: 'Archiviert', suspended: 'Gesperrt' },
  },

  overview: {
    title: 'Übersicht',
    live: 'Veröffentlicht',
    drafts: 'Entwürfe',
    archived: 'Archiviert',
    words: 'Wörter',
    visit: 'Website besuchen',
    newPage: 'Neue Seite',
    site: 'Website',
    address: 'Adresse',
    domain: 'Domain',
    domainStates: {
      none: 'Keine eigene Domain',
      active: 'Nachgewiesen',
      pending: 'Wartet auf ihren Nachweis',
      failed: 'Nicht nachgewiesen',
    },
    hosting: 'Hosting',
    modes: {
      full_host: 'Quoin liefert die Website aus',
      rewrite: 'Unter einem Pfad Ihrer eigenen Domain',
      data_mode: 'Data Mode: verschlüsselte Seiten',
    },
    theme: 'Thema',
    id: 'Projekt-ID',
    lastPublished: 'Zuletzt veröffentlicht',
    never: 'Nie',
    stale: 'Veröffentlichte Seiten, die nicht aktuell sind',
    staleNone: 'Alle veröffentlichten Seiten sind aktuell.',
    staleSome: (checked) => `Unter den ${number(checked)} zuletzt bearbeiteten veröffentlichten Seiten.`,
    publishStale: 'Alle veröffentlichen',
    releases: 'Letzte Veröffentlichungen',
    releasesNone: 'Noch wurde nichts veröffentlicht.',
    storage: 'Speicher des Kontos',
    used: (used, allowed) => (allowed === null ? used : `${used} von ${allowed}`),
    first: 'Die erste Seite veröffentlichen',
    firstLead: 'Schreiben Sie eine Seite und veröffentlichen Sie sie. In Sekunden ist sie zu sehen.',
  },

  settings: {
    title: 'Einstellungen',
    general: 'Allgemein',
    search: 'Suchmaschinen',
    code: 'Eigener Code',
    structure: 'Werte für das Thema',
    structureHint: 'JSON, wie in der API.',
    name: 'Name des Projekts',
    changed:
      'Eine andere Person hat diese Einstellungen geändert, seit Sie sie geöffnet haben. Deren Werte sind unter Ihren Feldern. Speichern Sie noch einmal, um Ihre zu behalten.',
    archive: 'Projekt archivieren',
    archiveHint:
      'Die Website bleibt veröffentlicht. Nichts kann geändert werden, bis das Projekt wieder aktiv ist.',
    restore: 'Wieder aktivieren',
    remove: 'Projekt löschen',
    removeHint: 'Löscht die Website, alle Seiten, Dateien und Veröffentlichungen, sofort und für immer.',
    removeFirst: 'Nur ein archiviertes Projekt kann gelöscht werden. Archivieren Sie es zuerst.',
    confirm: (name) => `Schreiben Sie „${name}“, um zu bestätigen`,
    confirmFault: 'ist nicht der Name des Projekts.',
    danger: 'Archivieren oder löschen',
  },
}
