"""The processes in which searches run, and the queue before them.

At most as many searches run at once as there are workers. Addresses are served in turns, and the visitors at each
address too: each visitor's first piece of work before the second of anybody there. Long work, such as an analysis,
leaves one worker free for moves. Work that gives way, an endless search, is stopped for others that wait once it has
had its turn. A worker that dies or does not come back in time costs the piece of work it had, and
another one takes its place. Work with a `home`, a game in which somebody's program plays, goes to the worker that has
done the last of it: there the program is, with what it remembers of the game.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import signal
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from plyground.web.server.chores import Chores
from plyground.web.server.refusals import Refusal
from plyground.web.server.settings import NOTHING, Limits, Named

__all__ = ["Job", "Pool", "Stopped", "WorkFailed"]

LONGEST_LINE = 1 << 28
"""Bytes in one answer of a worker."""
PATIENCE, LEAST_PATIENCE = 1.5, 5.0
"""How long over its time a piece of work is waited for: this multiple of the time, or at least these seconds."""
PREPARING = 180.0
"""Seconds for the start of a process, and for compiling one function."""
STOPPING = 2.0
"""Seconds that a worker has to stop what is not wanted any more."""
LAST_WORDS = 2000
MOST_HOMES = 1000
"""Games of somebody's programs of which is known where they are played."""
NICE = 5
"""Searches give way to the server that answers visitors."""
KEPT = ("HOME", "LANG", "PATH", "PYTHONPATH", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "USERPROFILE", "LOCALAPPDATA",
        "VIRTUAL_ENV", "PLYGROUND_CACHE_DIR", "PLYGROUND_NETWORKS", "NUMBA_NUM_THREADS", "XDG_CACHE_HOME")  # fmt: skip
"""What a worker knows of the environment."""


log = logging.getLogger("plyground.web")


class WorkFailed(Exception):
    """A piece of work came to no end, through no fault of whoever asked for it; `code` as of a `Refusal`."""

    def __init__(self, line: str, code: str = "failed") -> None:
        super().__init__(line)
        self.code = code


class Stopped(Exception):
    """A piece of work was stopped, as was asked for."""


class Job:
    """A piece of work. `time` is how long it may take once it runs; None for as long as it likes. After `turn` seconds
    it is stopped if others wait.

    `on_event` gets the events on the way, as JSON texts. The answer is awaited with `result`: `Refusal` if the work
    was refused, `WorkFailed` if its worker failed, `Stopped` if somebody has cancelled it.
    """

    def __init__(
        self, number: int, visitor: str, work: dict[str, Any], time: float | None, long: bool,
        on_event: Callable[[str], None], address: str = "", home: str = "", turn: float | None = None,
    ) -> None:  # fmt: skip
        self.number, self.visitor, self.work, self.time, self.long = number, visitor, work, time, long
        self.on_event, self.address, self.home, self.turn = on_event, address, home, turn
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.worker: Worker | None = None
        self.begun: float | None = None
        """Since when it has had its turn; None while it waits, or while something is compiled for it."""

    async def result(self) -> Any:
        """The answer."""
        return await asyncio.shield(self.answer)

    def settle(self, error: BaseException | None = None, answer: Any = None) -> None:
        """Hand out the answer, unless there is one."""
        if not self.answer.done():
            if error is None:
                self.answer.set_result(answer)
            else:
                self.answer.set_exception(error)
                self.answer.exception()  # it may be that nobody waits for it


class Worker:
    """One process, see `plyground.web.server.worker`."""

    def __init__(self, memory: int, named: Named = NOTHING, *, niceness: int = NICE) -> None:
        told = {} if named == NOTHING else asdict(named)
        self._arguments = (str(memory), str(niceness), json.dumps(told))
        self._process: asyncio.subprocess.Process | None = None
        self._last_words = ""
        self._errors: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    @property
    def pid(self) -> int | None:
        """The process id, if it runs."""
        return self._process.pid if self._process and self._process.returncode is None else None

    async def start(self) -> None:
        """Start the process, unless it runs."""
        async with self._starting:
            if self.pid is None:
                await self._start()

    async def _start(self) -> None:
        environment = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("LC_")}
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "plyground.web.server.worker", *self._arguments,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE, env=environment,
            # Ctrl-C is for the server alone. In a session of its own a worker would be as important to Linux as the
            # server: there `nice` counts only within a session.
            process_group=0,
        )  # fmt: skip
        self._errors = asyncio.create_task(self._listen(self._process))

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stderr is not None
        while data := await process.stderr.read(4096):
            self._last_words = (self._last_words + data.decode(errors="replace"))[-LAST_WORDS:]

    async def tell(self, message: dict[str, Any]) -> None:
        """Send a line, if the process is still there."""
        process = self._process
        if process is not None and process.stdin is not None:
            with contextlib.suppress(ConnectionError):
                process.stdin.write(json.dumps(message).encode() + b"\n")
                await process.stdin.drain()

    async def run(self, job: Job) -> None:
        """Do a piece of work and settle it. Its time runs from the event ``started``."""
        await self.start()
        process = self._process
        assert process is not None
        assert process.stdout is not None
        await self.tell({"job": job.number, **job.work})
        head = f"{job.number} ".encode()
        try:
            async with asyncio.timeout(None if job.time is None else PREPARING + _patience(job.time)) as timeout:
                while line := await process.stdout.readline():
                    if not line.startswith(head) or not line.endswith(b"\n"):  # of another job, or cut off by its end
                        continue
                    letter, content = chr(line[len(head)]), line[len(head) + 2 :]
                    if letter == "e":
                        if job.time is not None and (room := _room(content, job.time)):
                            timeout.reschedule(asyncio.get_running_loop().time() + room)
                        job.on_event(content.decode().rstrip())
                        continue
                    if letter == "d":
                        job.settle(answer=json.loads(content))
                    elif letter == "x":
                        job.settle(Refusal(422, *json.loads(content)))
                    elif letter == "f":
                        log.error("a search failed: %s", self._last_words)
                        job.settle(WorkFailed(f"the search failed: {json.loads(content)}"))
                    else:
                        job.settle(Stopped())
                    return
        except TimeoutError:
            await self.kill()
            job.settle(WorkFailed("the search did not come back in time and was ended", "late"))
            return
        except asyncio.CancelledError:
            job.settle(Stopped())
            await self.kill()
            raise
        job.settle(WorkFailed(f"the search was ended from outside: {await self._fate()}", "killed"))

    async def _fate(self) -> str:
        assert self._process is not None
        status = await self._process.wait()
        words = [line.strip() for line in self._last_words.splitlines() if line.strip()][-1:]
        how = f"with status {status}"
        if status < 0:
            with contextlib.suppress(ValueError):
                how = f"by {signal.Signals(-status).name}"
        return ": ".join([f"its process ended {how}", *(word[:200] for word in words)])

    async def kill(self) -> None:
        """End the process at once."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            if self._process.stdin is not None:
                self._process.stdin.close()
            await self._process.wait()
            if self._errors is not None:
                await asyncio.gather(self._errors, return_exceptions=True)


def _room(event: bytes, time: float) -> float | None:
    """How long a piece of work may take from this event on; None if that does not change."""
    if event.startswith(b'{"event":"compiling"'):  # not the visitor's fault, and may take much longer than the search
        return PREPARING + _patience(time)
    return _patience(time) if event.startswith(b'{"event":"started"') else None


def _patience(time: float) -> float:
    return max(PATIENCE * time, time + LEAST_PATIENCE)


class Pool:
    """All workers. They start when they are first needed."""

    def __init__(self, workers: int, limits: Limits, named: Named = NOTHING) -> None:
        self._limits = limits
        self._free = [Worker(limits.memory, named) for _ in range(workers)]
        self._workers = list(self._free)
        self._most_long = max(1, workers - 1)
        self._long = 0
        self._waiting: OrderedDict[str, OrderedDict[str, deque[Job]]] = OrderedDict()
        """By address, and there by visitor; whoever's turn is next is first."""
        self._running: dict[Job, asyncio.Task[None]] = {}
        self._homes: OrderedDict[str, Worker] = OrderedDict()
        self._numbers = itertools.count()
        self._chores = Chores()
        self._next_turn: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def processes(self) -> list[int]:
        """The process ids of the workers that run."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    @property
    def waiting(self) -> int:
        """How many pieces of work wait for a worker."""
        return sum(len(queue) for visitors in self._waiting.values() for queue in visitors.values())

    @property
    def running(self) -> int:
        """How many pieces of work are being done."""
        return len(self._running)

    async def warm_up(self) -> None:
        """Start a worker, so that the first search does not wait for it."""
        if self._free:
            await self._free[-1].start()

    def submit(
        self,
        visitor: str,
        work: dict[str, Any],
        *,
        address: str = "",
        time: float | None,
        long: bool = False,
        counted: bool = True,
        home: str = "",
        turn: float | None = None,
        on_event: Callable[[str], None] = lambda event: None,
    ) -> Job:
        """Queue a piece of work. `Refusal` if too much waits already, of the visitor, of the address, or of everybody.

        What is not `counted` is the one search of a game, whose number has its own limit. After `turn` seconds it gives
        way to others.
        """
        here = self._at(address)
        waiting = here.get(visitor, ())
        running = sum(job.visitor == visitor for job in self._running)
        if counted and len(waiting) + running >= self._limits.searches:
            raise Refusal(
                429, f"you have {self._limits.searches} searches at once already; wait for one to end", "searches"
            )
        if sum(map(len, here.values())) >= self._limits.address_waiting:
            raise Refusal(429, "too many searches of your network are waiting; try again later", "busy")
        if self.waiting >= self._limits.all_waiting:
            raise Refusal(503, "too many searches are waiting; try again later", "busy")

        def hear(event: str) -> None:
            self._hear(job, event)
            on_event(event)

        job = Job(next(self._numbers), visitor, work, time, long, hear, address, home, turn)
        self._waiting.setdefault(address, OrderedDict()).setdefault(visitor, deque()).append(job)
        self._pump()
        return job

    def cancel(self, job: Job) -> None:
        """Stop a piece of work, whether it has begun or not."""
        if job in self._at(job.address).get(job.visitor, ()):
            self._take(job)
            job.settle(Stopped())
        elif job in self._running and not job.answer.done():
            self._chores.add(self._stop(job))

    def wish(self, job: Job, wishes: dict[str, Any]) -> None:
        """What is wanted has changed since the work was handed in, whether it has begun or not."""
        if job.worker is None:
            job.work.update(wishes)
        elif not job.answer.done():
            self._chores.add(job.worker.tell({"wish": job.number, **wishes}))

    def leave(self, home: str) -> None:
        """Nothing more will be asked of the programs that a worker keeps for a game."""
        worker = self._homes.pop(home, None)
        if worker is not None and not self._closed:
            self._chores.add(worker.tell({"leave": home}))

    async def close(self) -> None:
        """End all processes, with whatever they are doing."""
        self._closed = True
        if self._next_turn is not None:
            self._next_turn.cancel()
        for job in self._queued():
            job.settle(Stopped())
        self._waiting.clear()
        await self._chores.close()
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for job in self._running:  # whose turn had come, and nothing else
            job.settle(Stopped())
        await asyncio.gather(*(worker.kill() for worker in self._workers), return_exceptions=True)

    async def _stop(self, job: Job) -> None:
        worker = job.worker
        if worker is None:
            return
        await worker.tell({"stop": job.number})
        with contextlib.suppress(TimeoutError, Stopped, WorkFailed, Refusal):
            await asyncio.wait_for(job.result(), STOPPING)
        if job in self._running:
            job.settle(Stopped())
            await worker.kill()

    def _pump(self) -> None:
        while self._free and not self._closed and (job := self._next()):
            worker = self._worker_for(job)
            self._free.remove(worker)
            job.worker, job.begun = worker, asyncio.get_running_loop().time()
            self._long += job.long
            task = asyncio.create_task(self._run(worker, job))
            self._running[job] = task
        self._take_turns()

    def _take_turns(self) -> None:
        """Where something waits, stop work that has had its turn; or look again when the first of it has."""
        if self._closed or not self.waiting:
            return
        now = asyncio.get_running_loop().time()
        ends = {job: job.begun + job.turn for job in self._running if job.begun is not None and job.turn is not None}
        over = [job for job, end in ends.items() if end <= now]
        for job in over[: self.waiting]:
            self.cancel(job)
        if ends and not over and self._next_turn is None:
            wait = min(ends.values()) - now
            self._next_turn = asyncio.get_running_loop().call_later(wait, self._turn_over)

    def _hear(self, job: Job, event: str) -> None:
        """A turn begins when all is compiled: that takes as long as it takes, and nothing is found meanwhile."""
        if event.startswith(('{"event":"started"', '{"event":"compiling"')):
            happened = json.loads(event)
            compiling = happened["event"] == "compiling" and happened["what"] is not None
            job.begun = None if compiling else asyncio.get_running_loop().time()
            self._take_turns()

    def _turn_over(self) -> None:
        self._next_turn = None
        self._take_turns()

    def _at(self, address: str) -> OrderedDict[str, deque[Job]]:
        """What waits of an address, by visitor."""
        return self._waiting.get(address) or OrderedDict()

    def _queued(self) -> Iterator[Job]:
        """All that waits, in the order of turns."""
        return (job for visitors in self._waiting.values() for queue in visitors.values() for job in queue)

    def _next(self) -> Job | None:
        """The first piece of work, in the order of turns, for which there is room."""
        job = next((job for job in self._queued() if self._has_room(job)), None)
        if job is not None:
            self._take(job)
        return job

    def _has_room(self, job: Job) -> bool:
        """Whether it can begin: long work leaves a worker free, and its home may be busy, but for long work."""
        if job.long and self._long >= self._most_long:
            return False
        home = self._homes.get(job.home)
        return home is None or home in self._free or any(one.worker is home and one.long for one in self._running)

    def _worker_for(self, job: Job) -> Worker:
        """A free worker: its home if that is free, else any, which is its home from now on."""
        home = self._homes.get(job.home)
        worker = home if home is not None and home in self._free else self._free[-1]
        if job.home:
            self._homes[job.home] = worker
            self._homes.move_to_end(job.home)
            while len(self._homes) > MOST_HOMES:
                self._homes.popitem(last=False)
        return worker

    def _take(self, job: Job) -> None:
        """Take a piece of work out of its queue; its address goes to the end, and so does its visitor there."""
        visitors = self._waiting.pop(job.address)
        queue = visitors.pop(job.visitor)
        queue.remove(job)
        if queue:
            visitors[job.visitor] = queue
        if visitors:
            self._waiting[job.address] = visitors

    async def _run(self, worker: Worker, job: Job) -> None:
        try:
            await worker.run(job)
        except OSError as error:
            job.settle(WorkFailed(f"no search can be started: {error}"))
        except (RecursionError, ValueError) as error:  # what was asked for cannot be written down
            job.settle(Refusal(422, f"this cannot be searched: {error}"))
        finally:
            job.settle(WorkFailed("the search came to no end"))
            self._running.pop(job, None)
            self._long -= job.long
            self._free.append(worker)
            self._pump()
