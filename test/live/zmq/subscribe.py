"""Subscribes as the first argument says, and prints the parts of each message as a list of hex texts.

Each line of standard input lets it read on: until the first, it reads only up to the message "sync".
"""
import json
import sys

import zmq

wanted = json.loads(sys.argv[1])
context = zmq.Context()
socket = context.socket(zmq.SUB)
socket.setsockopt(zmq.IPV6, 1)
socket.setsockopt(zmq.RCVHWM, wanted.get("hwm", 1000))
for topic in [*wanted["topics"], "sync"]:
    socket.setsockopt(zmq.SUBSCRIBE, topic.encode())
socket.connect(wanted["address"])

is_waiting = True
while True:
    parts = socket.recv_multipart()
    print(json.dumps([part.hex() for part in parts]), flush=True)
    if is_waiting and parts[0] == b"sync":
        sys.stdin.readline()
        is_waiting = False
    if parts[0] == b"end":
        break
context.destroy(linger=0)
