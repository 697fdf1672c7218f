# Quoin in a container: an unprivileged user, a read-only root, data in /var/lib/quoin. docs/OPERATING.md#containers
# says how to run it. Node.js brings the SQLite that the service uses here, so nothing is compiled.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp && tar -xzf /tmp/quoin-*.tgz -C /tmp
RUN npm prune --omit=dev --ignore-scripts && rm -rf node_modules/sqlite3

FROM node:24-bookworm-slim
ENV NODE_ENV=production QUOIN_DATA=/var/lib/quoin QUOIN_HOST=0.0.0.0
WORKDIR /opt/quoin
COPY --from=build /src/node_modules node_modules
COPY --from=build /tmp/package ./
RUN install -d -o 10001 -g 10001 -m 0700 /var/lib/quoin && chmod 755 dist/cli.js && ln -s /opt/quoin/dist/cli.js /usr/local/bin/quoin
USER 10001:10001
WORKDIR /var/lib/quoin
VOLUME /var/lib/quoin
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/quoin/dist/cli.js"]
CMD ["serve"]
