"""Worker threads that die without a commit, and a network between them that loses, doubles, delays and reorders."""

import random
import threading

from exonym.cluster.worker import WorkerSetup
from exonym.testing.cluster import LocalWorkers


class BadWorkers(LocalWorkers):
    """What happens to whom is decided by `seed`; when, by the machine."""

    def __init__(self, setups: list[WorkerSetup], seed: int, kills: int, is_network_bad: bool = True) -> None:
        self._chance = random.Random(seed)
        self._lock = threading.Lock()  # workers send from their own threads
        self._is_bad = is_network_bad
        self._delayed: list[tuple[str, bytes]] = []
        self._down: dict[str, int] = {}  # by worker that was killed: after how many rounds it is started again
        self._patience = 3
        self.kills_left = kills
        super().__init__(setups)

    def send(self, worker: str, packet: bytes) -> None:
        """Carry a packet, or do what a network must not do to it."""
        if not self._is_bad:
            super().send(worker, packet)
            return
        with self._lock:
            fate = self._chance.random()
            due: list[tuple[str, bytes]] = []
            if fate < 0.15:
                pass  # lost
            elif fate < 0.35:
                self._delayed.append((worker, packet))
            else:
                due = [(worker, packet)] * (2 if fate < 0.5 else 1)
            while self._delayed and self._chance.random() < 0.5:
                due.append(self._delayed.pop(self._chance.randrange(len(self._delayed))))
        for receiver, data in due:
            super().send(receiver, data)

    def give(self, worker: str, order: bytes) -> None:
        """Give an order, of which the worker or the coordinator may hear nothing."""
        fate = self._chance.random() if self._is_bad else 1.0
        if fate < 0.1:
            self._answers[worker] = b""
            return
        super().give(worker, order)
        if fate < 0.2:
            self._answers[worker] = b""

    def reports(self, seconds: float) -> dict[str, bytes]:
        """The reports; before, somebody may die, or begin a new life."""
        for name in [name for name, rounds in self._down.items() if not rounds]:
            del self._down[name]
            self.start(name)
        self._down = {name: rounds - 1 for name, rounds in self._down.items()}
        self._patience -= 1
        alive = [name for name in self.names if name in self.threads]
        if self.kills_left and self._patience <= 0 and alive and self._chance.random() < 0.5:
            name = self._chance.choice(alive)
            self.kill(name)
            self._down[name] = self._chance.randint(0, 3)
            self.kills_left -= 1
            self._patience = self._chance.randint(1, 6)
        return super().reports(seconds)
