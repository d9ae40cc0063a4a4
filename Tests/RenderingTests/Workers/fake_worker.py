"""A worker that speaks the render frame and does what the payload says, for the tests of the pool.

The payload is text: commands, one a line.
    echo TEXT       answer with TEXT as the first result's bytes, and the process' id as its note
    prove           answer that the picture is whole
    died            answer as a supervisor does whose copy died over the picture
    made COUNT      say that so many results are made
    never FORMAT    never answer a request for a result in that format
    sleep SECONDS   before the answer
    touch PATH      make a file, to show that the work has begun
    say TEXT        write to standard error
    flood COUNT     write so many bytes to standard error
    signal NUMBER   die of it
    exit STATUS     die with it
    hang            never answer
    deaf            close the socket and stay
    garbage         answer with what is no frame
    half            answer with half a frame and die
    huge            announce more payload than anybody would take
    short           answer with fewer results than asked for
    lie             announce other byte counts than are sent
    environment     answer with the names of all variables
    descriptors     answer with the numbers of all open descriptors
    group           answer with the process group
    poison          answer, and die of the next request
    last            answer, and die
"""

import json
import os
import resource
import signal
import struct
import sys
import time

MAGIC = b"PHRF"
VERSION = 2
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def read_exactly(count):
    data = b""
    while len(data) < count:
        chunk = os.read(0, count - len(data))
        if not chunk:
            sys.exit(0)
        data += chunk
    return data


def write_all(data):
    while data:
        data = data[os.write(1, data):]


def send(outputs, payload, announced=None):
    header = json.dumps({"outputs": outputs}).encode()
    size = len(payload) if announced is None else announced
    write_all(MAGIC + struct.pack("<IIQ", VERSION, len(header), size) + header + payload)


def encoded(size):
    return {"encoded": {"format": "png", "width": 1, "height": 1, "byteCount": size, "note": str(os.getpid())}}


def answer(text):
    data = text.encode() or b"-"
    more = len(request["outputs"]) - 1
    send([encoded(len(data))] + [encoded(1)] * more, data + b"-" * more)


def hang():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        time.sleep(1000)


def renew():
    """Go on as a copy, as a supervisor does when its worker makes way."""
    # A signal to end is for the copy: the supervisor waits for it.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    copy = os.fork()
    if copy:
        os._exit(os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]))
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


poisoned = False
request = {}
while True:
    if request.get("isLast"):
        renew()
    magic, version, header_size, payload_size = struct.unpack("<4sIIQ", read_exactly(20))
    assert magic == MAGIC and version == VERSION
    request = json.loads(read_exactly(header_size))
    payload = read_exactly(payload_size).decode("utf-8", "replace")
    if poisoned:
        os.kill(os.getpid(), signal.SIGSEGV)
    for line in payload.split("\n"):
        command, _, rest = line.partition(" ")
        if command == "echo":
            answer(rest)
        elif command == "prove":
            send([{"original": {}}], b"")
        elif command == "died":
            header = json.dumps({"outputs": [], "death": 11}).encode()
            write_all(MAGIC + struct.pack("<IIQ", VERSION, len(header), 0) + header)
        elif command == "sleep":
            time.sleep(float(rest))
        elif command == "touch":
            open(rest, "w").close()
        elif command == "say":
            os.write(2, rest.encode() + b"\n")
        elif command == "flood":
            try:
                os.write(2, b"x" * int(rest) + b"\n")
            except BlockingIOError:
                pass
        elif command == "signal":
            os.kill(os.getpid(), int(rest))
        elif command == "exit":
            os._exit(int(rest))
        elif command == "hang":
            hang()
        elif command == "made":
            header = json.dumps({"outputs": [], "progress": int(rest)}).encode()
            write_all(MAGIC + struct.pack("<IIQ", VERSION, len(header), 0) + header)
        elif command == "never":
            if any(rest in json.dumps(output["encoding"]) for output in request["outputs"]):
                hang()
        elif command == "deaf":
            os.close(0)
            os.close(1)
            time.sleep(1000)
        elif command == "garbage":
            write_all(b"<html>this is no frame at all</html>")
            time.sleep(1000)
        elif command == "half":
            write_all(MAGIC + struct.pack("<IIQ", VERSION, 500, 0) + b"{")
            os._exit(0)
        elif command == "huge":
            send([encoded(1)], b"", announced=1 << 60)
            time.sleep(1000)
        elif command == "short":
            send([], b"")
        elif command == "lie":
            send([encoded(7)], b"abc")
        elif command == "environment":
            answer(",".join(sorted(os.environ)))
        elif command == "descriptors":
            folder = os.open("/proc/self/fd", os.O_RDONLY)
            names = [n for n in os.listdir(folder) if int(n) != folder]
            alive = []
            for name in names:
                try:
                    os.fstat(int(name))
                    alive.append(int(name))
                except OSError:
                    pass
            os.close(folder)
            answer(",".join(map(str, sorted(alive))))
        elif command == "group":
            answer("%d %d" % (os.getpid(), os.getpgid(0)))
        elif command == "poison":
            answer("poisoned")
            poisoned = True
        elif command == "last":
            answer("last")
            os._exit(0)
