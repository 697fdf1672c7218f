-- For wrk: reads the pages of a list in turn, each for another visitor, whose address a proxy would name.
-- Arguments: a file with the paths, and the accepted encodings. Prints one line of JSON at the end.
local paths, encodings = {}, ''
local n = 0

function init(args)
  for path in io.lines(args[1]) do paths[#paths + 1] = path end
  encodings = args[2]
end

function request()
  n = n + 1
  local visitor = string.format('10.%d.%d.%d', n / 65536 % 256, n / 256 % 256, n % 256)
  return wrk.format('GET', paths[n % #paths + 1], { ['Accept-Encoding'] = encodings, ['X-Forwarded-For'] = visitor })
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('{"answers":%d,"perSecond":%f,"p99":%f,"failed":%d}\n',
    summary.requests, summary.requests / summary.duration * 1e6, latency:percentile(99) / 1000, failed))
end
