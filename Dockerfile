# Preheat for those who have no Swift:
#   docker build -t preheat .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:$PWD" -w "$PWD" preheat run jobs/catalog.job
# An image that you pass on carries the licences of Debian's libvips and its codecs, some of them GPL.

FROM swift:6.3-bookworm AS build
WORKDIR /src
# The packages first: they change less often than the sources.
COPY scripts/packages.txt scripts/install-packages scripts/
RUN scripts/install-packages ci build deb
COPY . .
RUN make deb DEPS=no

FROM debian:bookworm-slim
COPY --from=build /src/dist/*.deb /tmp/
RUN apt-get update \
 && apt-get install --yes --no-install-recommends /tmp/preheat_*.deb \
 && rm -rf /var/lib/apt/lists/* /tmp/preheat_*.deb
ENTRYPOINT ["preheat"]
