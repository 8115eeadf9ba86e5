# syntax=docker/dockerfile:1
# Two images for every role: "plain" holds nothing but the program, "chromium" also a browser, which is the default.
#   docker build --target plain --build-arg VERSION=$(git describe --tags --always) -t boardwatch .
#   docker build --target chromium --build-arg VERSION=$(git describe --tags --always) -t boardwatch:chromium .

FROM --platform=$BUILDPLATFORM docker.io/library/golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
ARG VERSION=dev
ARG COMMIT=
ARG DATE=
ARG TARGETOS
ARG TARGETARCH
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath \
    -ldflags "-s -w -X github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build.version=${VERSION#v} -X github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build.commit=$COMMIT -X github.com/boardwatch/boardwatch/cmd/boardwatch/internal/build.date=$DATE" \
    -o /out/boardwatch ./cmd/boardwatch \
 && scripts/licences.sh >/out/licences.txt \
 && install -d -m 0700 -o 10001 -g 10001 /out/root/var/lib/boardwatch && install -d -m 1777 /out/root/tmp

FROM scratch AS plain
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/root/ /
COPY --from=build /out/boardwatch /usr/local/bin/boardwatch
COPY LICENSE /usr/share/doc/boardwatch/
COPY --from=build /out/licences.txt /usr/share/doc/boardwatch/

USER 10001:10001
ENV PATH=/usr/local/bin \
    HOME=/var/lib/boardwatch \
    BOARDWATCH_DATA_DIR=/var/lib/boardwatch \
    BOARDWATCH_LISTEN=:8080 \
    BOARDWATCH_LOG_FORMAT=json \
    BOARDWATCH_BROWSER_MODE=never
VOLUME /var/lib/boardwatch
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=6s --start-period=30s --retries=3 CMD ["boardwatch", "health"]
ENTRYPOINT ["boardwatch"]
CMD ["serve"]

FROM docker.io/library/debian:bookworm-slim AS chromium
# The browser is for pages that are rendered by JavaScript; tini reaps the processes that it leaves behind.
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
