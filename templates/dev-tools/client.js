// Runs in every page that `quoin dev` serves, and is not part of a build. After each change it fetches
// the state of the page: it reloads the page if its HTML changed, replaces style sheets in place, and
// shows errors and warnings in an overlay.
;(() => {
  const TOOLS = '/__quoin/'
  const { version } = document.currentScript.dataset
  const SCROLL_KEY = `quoin-dev:${location.pathname}`
  const isFrame = window.top !== window

  restoreScroll()
  let isFetching = false
  let isDue = false
  let overlay = null
  let lastState = null
  listen()

  function listen() {
    if (typeof SharedWorker === 'function') {
      const { port } = new SharedWorker(`${TOOLS}events.js`)
      port.onmessage = update
      addEventListener('pagehide', () => port.postMessage('closed'))
      // The worker no longer knows a page that returns from the back/forward cache.
      addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
    } else {
      new EventSource(`${TOOLS}events`).onmessage = update
    }
  }

  /** One request at a time. Changes that arrive meanwhile cause another one. */
  async function update() {
    isDue = true
    if (isFetching) return
    isFetching = true
    try {
      while (isDue) {
        isDue = false
        const response = await fetch(`${TOOLS}state?path=${encodeURIComponent(decodedPath())}`)
        if (response.ok) apply(await response.json())
      }
    } catch {
      // The server stopped. The event stream reconnects when it is back.
    } finally {
      isFetching = false
    }
  }

  /** The path in the form that the server uses. */
  function decodedPath() {
    try {
      return decodeURIComponent(location.pathname)
    } catch {
      return location.pathname
    }
  }

  function apply(state) {
    if (state.version !== version) return reload()
    replaceStyles(state.styles)
    const shown = JSON.stringify([state.errors, state.faults, state.warnings, state.isDraft, state.heldUntil])
    if (shown === lastState) return
    lastState = shown
    show(state)
  }

  function reload() {
    try {
      sessionStorage.setItem(SCROLL_KEY, JSON.stringify([scrollX, scrollY]))
    } catch {
      // Without storage the browser restores the scroll position as well as it can.
    }
    location.reload()
  }

  function restoreScroll() {
    let position = null
    try {
      position = JSON.parse(sessionStorage.getItem(SCROLL_KEY))
      sessionStorage.removeItem(SCROLL_KEY)
    } catch {
      return
    }
    if (position === null) return
    const [left, top] = position
    const scroll = () => scrollTo({ left, top, behavior: 'instant' })
    scroll()
    // Images may have shifted the content.
    addEventListener('load', scroll, { once: true })
  }

  /** Each old sheet stays until the new one is loaded, so that the page is never unstyled. */
  function replaceStyles(styles) {
    const sheets = [...document.querySelectorAll('link[rel="stylesheet"]:not([data-quoin-old])')]
    for (const [index, href] of styles.entries()) {
      const old = sheets[index]
      if (old === undefined || old.getAttribute('href') === href) continue
      const next = old.cloneNode()
      next.href = href
      old.dataset.quoinOld = ''
      next.onload = () => old.remove()
      next.onerror = () => old.remove()
      old.after(next)
    }
  }

  function show(state) {
    if (isFrame && state.errors.length === 0) return overlay?.remove()
    if (overlay === null) overlay = createOverlay()
    overlay.show(state)
  }

  function createOverlay() {
    const host = document.createElement('quoin-dev')
    const root = host.attachShadow({ mode: 'open' })
    const sheet = element('link', { rel: 'stylesheet', href: `${TOOLS}overlay.css` })
    const dialog = element('dialog', { 'aria-labelledby': 'title' })
    const pill = element('button', { type: 'button', class: 'pill', hidden: '' })
    root.append(sheet, pill, dialog)
    let dismissed = ''
    pill.onclick = () => dialog.showModal()
    dialog.onclose = () => (dismissed = dialog.dataset.errors)
    // A dismissed overlay stays closed until the errors change.
    const open = (errors) => {
      dialog.dataset.errors = errors
      if (errors !== dismissed && !dialog.open)
        whenStyled(sheet, () => dialog.isConnected && !dialog.open && dialog.showModal())
    }

    return {
      show({ errors, faults, warnings, isDraft, heldUntil }) {
        if (!host.isConnected) document.documentElement.append(host)
        fill(dialog, errors, faults, warnings)
        const words = [
          ...(isDraft ? ['Draft'] : []),
          ...(heldUntil ? [`Held back until ${heldUntil.slice(0, 10)}`] : []),
          ...(errors.length > 0 ? [counted(errors.length, 'error')] : []),
          ...(faults.length > 0 ? [elsewhere(faults)] : []),
          ...(warnings.length > 0 ? [counted(warnings.length, 'warning')] : []),
        ]
        pill.textContent = words.join(' · ')
        pill.hidden = words.length === 0 || isFrame
        pill.disabled = errors.length + faults.length + warnings.length === 0
        pill.className = errors.length + faults.length > 0 ? 'pill has-errors' : 'pill'
        if (errors.length > 0) open(JSON.stringify(errors))
        else {
          dismissed = ''
          dialog.close()
        }
      },
      remove: () => host.remove(),
    }
  }

  function whenStyled(sheet, act) {
    if (sheet.sheet !== null) act()
    else sheet.addEventListener('load', act, { once: true })
  }

  function fill(dialog, errors, faults, warnings) {
    const close = element(
      'button',
      { type: 'button', class: 'close', 'aria-label': 'Close', autofocus: '' },
      '×',
    )
    close.onclick = () => dialog.close()
    const title =
      errors.length > 0
        ? counted(errors.length, 'error')
        : faults.length > 0
          ? elsewhere(faults)
          : counted(warnings.length, 'warning')
    const head = element('div', { class: 'head' }, element('h2', { id: 'title' }, title), close)
    const list = element('div', {
      class: 'list',
      tabindex: '0',
      role: 'group',
      'aria-label': 'Errors and warnings',
    })
    list.append(...[...errors, ...faults, ...warnings].map(diagnosticElement))
    const note =
      errors.length > 0
        ? 'Below is the last version without errors, if there was one. This message closes when the errors are fixed.'
        : faults.length > 0
          ? 'This page does not depend on them. quoin build stops until they are fixed.'
          : 'Warnings do not stop a build; with quoin build --strict they do.'
    dialog.replaceChildren(head, list, element('div', { class: 'foot' }, note))
  }

  /** Errors have a frame and a page; warnings do not. */
  function diagnosticElement({ file, line, column, code, message, frame = [], page = null }) {
    const position = [file, line, column].filter((part) => part !== null).join(':')
    const article = element(
      'article',
      {},
      element('p', { class: 'place' }, `${position} · ${code}`),
      element('p', { class: 'message' }, message),
    )
    if (frame.length > 0)
      article.append(
        element(
          'pre',
          { tabindex: '0', 'aria-label': `Lines around ${position}` },
          ...frameLines(frame, column),
        ),
      )
    if (page !== null)
      article.append(
        element(
          'p',
          { class: 'page' },
          `Page ${page.path}`,
          page.source === file ? '' : `, from ${page.source}`,
        ),
      )
    return article
  }

  function frameLines(frame, column) {
    return frame.flatMap(({ number, text, isMarked }) => {
      const line = element(
        'span',
        { class: isMarked ? 'line marked' : 'line' },
        element('span', { class: 'number' }, String(number)),
        `${text}\n`,
      )
      if (!isMarked || column === null || column > text.length + 1) return [line]
      const pointer = element(
        'span',
        { class: 'line pointer', 'aria-hidden': 'true' },
        element('span', { class: 'number' }, ''),
        `${text.slice(0, column - 1).replace(/[^\t]/g, ' ')}^\n`,
      )
      return [line, pointer]
    })
  }

  /** Names the file if all errors of other files are in one. */
  function elsewhere(faults) {
    const files = new Set(faults.map(({ file }) => file))
    return files.size === 1 ? `Error in ${faults[0].file}` : `Errors in ${files.size} files`
  }

  function counted(number, word) {
    return `${number} ${word}${number === 1 ? '' : 's'}`
  }

  function element(name, attributes, ...children) {
    const created = document.createElement(name)
    for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value)
    created.append(...children)
    return created
  }
})()
