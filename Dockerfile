# Preheat for those who have no Swift:
#   docker build -t preheat .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:$PWD" -w "$PWD" preheat run jobs/catalog.job
# An image that you pass on carries the licences of Debian's libvips and its codecs, some of them GPL.

FROM swift:6.3-bookworm AS build
WORKDIR /src
# The packages first: they change less often than the sources.
COPY scripts/packages.txt scripts/install-packages scripts/
RUN scripts/install-packages ci build
COPY . .
RUN swift build -c release --static-swift-stdlib --product preheat \
 && swift build -c release --static-swift-stdlib --product preheat-render \
 && make install DESTDIR=/out PREFIX=/usr

FROM debian:bookworm-slim
COPY scripts/packages.txt scripts/install-packages /tmp/
RUN /tmp/install-packages run && rm -rf /var/lib/apt/lists/* /tmp/packages.txt /tmp/install-packages
COPY --from=build /out/ /
ENTRYPOINT ["preheat"]
