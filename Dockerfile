# syntax=docker/dockerfile:1
# One image for every role: docker build --build-arg VERSION=$(git describe --tags --always) -t boardwatch .

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG VERSION=dev
ARG COMMIT=
ARG DATE=
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -trimpath \
    -ldflags "-s -w -X main.version=${VERSION#v} -X main.commit=$COMMIT -X main.date=$DATE" \
    -o /out/boardwatch ./cmd/boardwatch \
 && scripts/licences.sh >/out/licences.txt

FROM debian:bookworm-slim
# The browser is for pages that draw themselves; tini gathers the processes that it leaves behind.
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates chromium-headless-shell fonts-liberation tini \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 10001 boardwatch \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/boardwatch --shell /usr/sbin/nologin boardwatch \
 && install -d -m 0700 -o boardwatch -g boardwatch /var/lib/boardwatch
COPY --from=build /out/boardwatch /usr/local/bin/boardwatch
COPY LICENSE /usr/share/doc/boardwatch/
COPY --from=build /out/licences.txt /usr/share/doc/boardwatch/

USER 10001:10001
ENV BOARDWATCH_DATA_DIR=/var/lib/boardwatch \
    BOARDWATCH_LISTEN=:8080 \
    BOARDWATCH_LOG_FORMAT=json
VOLUME /var/lib/boardwatch
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=6s --start-period=30s --retries=3 CMD ["boardwatch", "health"]
ENTRYPOINT ["tini", "--", "boardwatch"]
CMD ["serve"]
