# The service: docker build --tag finspan-service:0.1.0 .
# The tag of the base follows the security updates of its Python and Debian. A build that must come out the same again
# names its digest, too: python:3.13-slim-trixie@sha256:...
FROM python:3.13-slim-trixie AS build
WORKDIR /src
RUN python -m venv /opt/finspan
COPY requirements-runtime.lock ./
RUN /opt/finspan/bin/pip install --no-cache-dir --require-hashes -r requirements-runtime.lock
COPY . .
# What has installed the service is of no use to it, only to who breaks in.
RUN /opt/finspan/bin/pip install --no-cache-dir --no-build-isolation --no-deps ./clients/python . && \
    /opt/finspan/bin/pip uninstall --yes setuptools pip

FROM python:3.13-slim-trixie
LABEL org.opencontainers.image.title="finspan-service" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/finspan /opt/finspan
ENV PATH=/opt/finspan/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    FINSPAN_HOST=0.0.0.0
WORKDIR /
USER 65532:65532
EXPOSE 50051
ENTRYPOINT ["finspan", "serve"]
