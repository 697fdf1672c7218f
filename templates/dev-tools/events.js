// Shared by all tabs of a browser, which opens few connections to one address: six tabs with one each
// would leave none for pages. Says to each tab that something changed, and how often it has.
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
