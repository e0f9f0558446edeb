# SPDX-License-Identifier: Apache-2.0
"""One run of a command under bench-measure, and what it cost."""
import subprocess


class Sample:
    """Seconds on the wall and of the processor, bytes of peak memory, page faults."""

    def __init__(self, fields):
        self.status = int(fields[0])
        self.wall = int(fields[1]) / 1e9
        self.cpu = int(fields[2]) / 1e6
        self.memory = int(fields[3]) * 1024
        self.faults = int(fields[4])


def take(measure, result, command, statuses=(0,), sink=subprocess.DEVNULL):
    """result: path that the measure may write to."""
    subprocess.run([measure, result, *command], stdin=subprocess.DEVNULL, stdout=sink,
                   stderr=subprocess.DEVNULL, check=True)
    with open(result) as f:
        sample = Sample(f.read().split())
    if sample.status not in statuses:
        raise RuntimeError("%s ended with %d" % (" ".join(command), sample.status))
    return sample
