# One image for every process: `infra run`, or a command of compose.yaml after its name.
# A whole version, so that the same image is built tomorrow. A digest would hold for one platform's
# registry alone and is yours to add: docker buildx imagetools inspect python:3.12.12-slim-bookworm
FROM python:3.12.12-slim-bookworm AS build
WORKDIR /build
RUN python -m venv /venv
COPY requirements.lock ./
RUN /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE CHANGELOG.md ./
COPY digest ./digest
COPY bot ./bot
COPY adapters ./adapters
RUN /venv/bin/pip install --no-cache-dir --no-deps .

FROM python:3.12.12-slim-bookworm
RUN useradd --create-home --uid 10001 infra && install -d -o infra -g infra /data
COPY --from=build /venv /venv
# Without another DATABASE_URL everything is kept in /data: mount a volume there. None is declared:
# each container would get one without a name, and the program could not warn that it is left behind.
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HOST=0.0.0.0 \
    PORT=8321 \
    DATABASE_URL=sqlite:////data/infra.sqlite3
USER infra
WORKDIR /data
EXPOSE 8321
# The process itself gets the signal to end, and is done within ten seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen('http://127.0.0.1:' + os.environ['PORT'] + '/healthz', timeout=4)"]
ENTRYPOINT ["infra"]
CMD ["run"]
