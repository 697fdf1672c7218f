// A shared worker that forwards change events to all tabs. Browsers open at most six connections to one
// host over HTTP/1.1: a connection per tab would leave none for pages.
const tabs = new Set()
let last = null

const source = new EventSource('events')
source.onmessage = ({ data }) => {
  last = data
  for (const tab of tabs) tab.postMessage(data)
}

self.onconnect = ({ ports: [tab] }) => {
  tabs.add(tab)
  tab.onmessage = () => tabs.delete(tab)
  if (last !== null) tab.postMessage(last)
}
