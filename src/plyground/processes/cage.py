"""The wall around a stranger's program: what it is made of, what this machine can give of it, and how it is put up.

All of it is the kernel's own, on Linux: namespaces, so that the program sees no other process, no network, and of the
files only what programs need and its own, copied into a private scratch folder; a filter of system calls (seccomp);
Landlock; limits of the number of processes, of memory, of the size of files; a cgroup where one may be made. As root
the program gets a user id that nobody else has. Whatever is missing, the rest is put up all the same, and `PARTS` has
the words for what is not there.

A file by itself that needs the standard library alone: the supervisor runs it in a bare interpreter.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import stat
import struct
import sys

with contextlib.suppress(ImportError):  # on Windows, where no program is run
    import resource

__all__ = [
    "FOREIGN_SIGNALS",
    "MODES",
    "PARTS",
    "SYSTEM",
    "Fence",
    "Groups",
    "Wall",
    "belongings",
    "copy_file",
    "landlock_version",
]

LINUX = sys.platform.startswith("linux")
MODES = ("strict", "plain", "off")
"""How the wall is wanted: all of it or nothing is run; as much of it as there is; none."""
PARTS = {
    "processes": "other processes out of its reach (namespaces)",
    "files": "other files out of its sight (namespaces or Landlock)",
    "network": "no network (namespaces or seccomp)",
    "calls": "a filter of system calls (seccomp)",
    "number": "a limit of the number of its processes (a user id of its own, or Linux 5.14)",
    "memory": "a limit of the memory of all its processes together (a cgroup)",
}
"""What the wall consists of, as people are told what is missing."""

GROUP = "plyground-"
SCRATCH = "/scratch"
"""The folder that the program may write, where the tree of files is its own; its home too."""
ROOM = 128 << 20
"""Bytes that it may write there, besides the copies of its own files."""
LARGEST_FILE = 64 << 20
MOST_FILES = 20_000
PROCESSES = 256
"""How many processes and threads it may have: as many as a runtime for a large machine starts."""
OWN_BYTES, OWN_FILES = 64 << 20, 2000
"""A folder with more than this is not the program's alone: of such a one the files that are named, and Python's."""
KEPT_BYTES = 64 << 20
"""How much of its machine code is kept for the next game."""
FIRST_USER = 1_879_000_000
NOBODY = 65534
FOREIGN_SIGNALS = (1, 2, 3, 9, 15)
"""What somebody else ends a program with: SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM. It cannot send them to itself: if
it dies of one, it was not its doing."""

SYSTEM = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "opt", "nix", "gnu")
"""Folders of the root that are programs and nothing else."""
SETTINGS = (
    "alternatives", "group", "java", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "localtime", "nsswitch.conf",
    "passwd", "timezone",
)  # fmt: skip
"""What programs need of /etc."""
DEVICES = ("null", "zero", "full", "random", "urandom")

# Numbers of the kernel ---------------------------------------------------------------------------------------------

PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, PR_SET_DUMPABLE = 24, 38, 22, 4
FIRST_DROPPED, MOST_CAPABILITIES = 5, 64
"""Of root's capabilities those over files, the first five, are kept without a wall: the others see through Landlock."""
NEW_FILES, NEW_NAMES, NEW_MAILBOXES, NEW_USER, NEW_PROCESSES, NEW_NETWORK = (
    0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000,
)  # fmt: skip
NAMESPACES = 0x7E020000
"""All flags of `clone` that make one."""
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 0x1000, 0x4000, 0x40000
MNT_DETACH = 2
MOUNT_SETATTR, AT_RECURSIVE, HERE = 442, 0x8000, -100
ATTR_READ_ONLY, ATTR_NO_SUID, ATTR_NO_DEVICES = 1, 2, 4
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
"""Landlock's system calls; these and `MOUNT_SETATTR` are the same on all machines."""
ASK_VERSION = PATH_BENEATH = 1
SCOPE_SIGNAL = 1 << 1
MAKE_BLOCK_DEVICES, MOVE_BETWEEN_FOLDERS = 1 << 11, 1 << 13
READING = 0b1101
"""Landlock: execute, read files, read folders."""
OF_A_FILE = 0b1100000000000111
MAKE_DEVICES = 1 << 6 | 1 << 11
MOST_LINKS = 40
"""On the way to one file, as in Linux."""
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
CAPSET = {"x86_64": 126, "aarch64": 91}


class Missing(OSError):
    """A part of the wall that this machine does not give."""


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(answer: int) -> int:
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def _control(option: int, value: int) -> None:
    if LINUX:
        _library().prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def _machine() -> str:
    return os.uname().machine


# The wall ----------------------------------------------------------------------------------------------------------


class Wall:
    """The parts of one wall, put up in the order in which a supervisor needs them.

    `own` are the program's files; `visible` more folders that it may read; `scratch` a private folder, used where the
    tree of files cannot be its own; `kept` a folder that keeps its machine code from one start to the next, or "";
    `limited` what the cgroups limit in which it is already. In `lacking` is what could not be had so far.
    """

    def __init__(self, own: list[str], visible: list[str], scratch: str, kept: str, limited: list[str]) -> None:
        self.own, self.visible, self.scratch, self.kept = own, visible, scratch, kept
        self.lacking: list[str] = [] if LINUX else list(PARTS)
        self.is_root = os.geteuid() == 0
        self.has_processes = self.has_tree = False
        self._limited = limited
        self._keeping = -1

    # In the supervisor

    def separate(self) -> None:
        """Make the namespaces; whoever is forked next is the first process of its own world."""
        if not LINUX:
            return
        new = NEW_PROCESSES | NEW_NETWORK | NEW_MAILBOXES | NEW_NAMES
        user, group = os.geteuid(), os.getegid()
        try:
            _checked(_library().unshare(new if self.is_root else new | NEW_USER))
            if not self.is_root:
                _write("/proc/self/setgroups", "deny")
                _write("/proc/self/uid_map", f"{user} {user} 1")
                _write("/proc/self/gid_map", f"{group} {group} 1")
            self.has_processes = True
        except OSError:
            self.lacking.append("processes")

    # In the first process of the new world, or in the program itself if there is none

    def build(self) -> None:
        """Give this process and those below it a tree of files of their own; `SCRATCH` is all that can be written."""
        if not self.has_processes:
            return
        _control(PR_SET_DUMPABLE, 0)  # the program must not look into this process
        try:
            _checked(_library().unshare(NEW_FILES))
            self._build_tree()
            self.has_tree = True
        except OSError:
            pass  # Landlock has another chance

    def _build_tree(self) -> None:
        mounted = _Tree("/tmp" if os.path.isdir("/tmp") else "/var")
        try:
            copies = [(folder, belongings(folder, self.own)) for folder in self._own_folders()]
            size = sum(size for _, files in copies for _, size in files) + (_weight(self.kept) if self.kept else 0)
            mounted.begin()
            mounted.make_scratch(ROOM + size)
            if self.kept:
                self._keeping = os.open(mounted.old(self.kept), os.O_PATH | os.O_DIRECTORY)
                copy_tree(mounted.old(self.kept), f"{SCRATCH}/cache")
                self._hand_over(f"{SCRATCH}/cache")
            shown = {folder: None for folder in self.visible if os.path.isdir(mounted.old(folder))}
            places: dict[str, list[tuple[str, int]] | None] = {**shown, **dict(copies)}
            for number, place in enumerate(sorted(places, key=lambda path: path.rstrip("/").count("/"))):
                if (files := places[place]) is None:
                    mounted.show(place)
                else:
                    mounted.copy(place, [name for name, _ in files], number)
            mounted.finish()
        except BaseException:
            mounted.undo()
            raise

    def _hand_over(self, folder: str) -> None:
        """Make all below the folder the program's own, and nobody else's: what others could write it does not load."""
        for place, _, files in os.walk(folder):
            for path, mode in ((place, 0o700), *((os.path.join(place, name), 0o600) for name in files)):
                os.chmod(path, mode)
                for user in self._users() if self.is_root else ():
                    try:
                        os.chown(path, user, user)
                        break
                    except OSError:
                        continue

    def _users(self) -> tuple[int, int]:
        """As whom the program runs if this is root: the first that there is, for not every one is in a container."""
        return FIRST_USER + self.number, NOBODY

    def _own_folders(self) -> list[str]:
        """The folders of the program's files, those aside that everybody sees."""
        folders = dict.fromkeys(os.path.dirname(file) or "/" for file in self.own)
        system = [f"/{name}" for name in SYSTEM] + self.visible
        return [folder for folder in folders if not any(f"{folder}/".startswith(f"{root}/") for root in system)]

    # In the program itself, before it is run

    def close(self) -> None:
        """Put up what is left, for this process and whatever it becomes."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
        own_user = self._become_nobody()
        if own_user or (self.has_processes and not self.is_root and _release() >= (5, 14)):
            resource.setrlimit(resource.RLIMIT_NPROC, (PROCESSES, PROCESSES))
        elif "pids" not in self._limited:
            self.lacking.append("number")
        if "memory" not in self._limited:
            self.lacking.append("memory")
        _control(PR_SET_NO_NEW_PRIVS, 1)
        landlocked = self._landlock()
        if not self.has_tree and not landlocked:
            self.lacking.append("files")
        try:
            refuse_calls(os.getpid())
        except OSError:
            self.lacking.append("calls")
            if not self.has_processes:
                self.lacking.append("network")
        home = SCRATCH if self.has_tree else self.scratch
        os.environ.update(HOME=home, TMPDIR="/tmp" if self.has_tree else home, XDG_CACHE_HOME=home)
        os.environ.update(PLYGROUND_CACHE_DIR=f"{home}/cache", NUMBA_CACHE_DIR=f"{home}/cache")

    def _become_nobody(self) -> bool:
        """Give up all rights; True if the program has a user id that nobody else has."""
        if not LINUX:
            return False
        for capability in range(MOST_CAPABILITIES):
            _control(PR_CAPBSET_DROP, capability)
        if self.is_root and self.has_tree:
            for user in self._users():
                try:
                    os.setgroups([])
                    os.setresgid(user, user, user)
                    os.setresuid(user, user, user)
                    return user != NOBODY
                except OSError:
                    continue
        if (number := CAPSET.get(_machine())) and not self.is_root:
            _library().syscall(number, struct.pack("=Ii", 0x20080522, 0), bytes(24))
        return False

    number = 0
    """Makes the user id one of its own: the supervisor's process id."""

    def _landlock(self) -> bool:
        """Close the files of this machine but for what is allowed; False if the system cannot do it."""
        version = landlock_version()
        if version < 1:
            return False
        call = _library().syscall
        everything = (1 << (13, 14, 15, 15, 16)[min(version, 5) - 1]) - 1
        closed = (everything, 0b11, 0b11)[: 1 if version < 4 else 2 if version < 6 else 3]
        handled = struct.pack(f"{len(closed)}Q", *closed)
        try:
            rules = _checked(call(CREATE_RULESET, handled, len(handled), 0))
        except OSError:
            return False
        writing = everything & ~MAKE_DEVICES
        if self.has_tree:
            allowed = {"/": READING, SCRATCH: writing, "/tmp": writing, "/dev": writing}
            allowed |= dict.fromkeys(self._own_folders(), writing)
        else:
            allowed = {f"/{name}": READING for name in (*SYSTEM, *(f"etc/{name}" for name in SETTINGS))}
            allowed |= dict.fromkeys((*self.visible, *self._own_folders(), "/proc/self", "/proc/meminfo"), READING)
            allowed |= {"/proc/cpuinfo": READING, "/proc/stat": READING, self.scratch: writing}
            allowed |= {f"/dev/{name}": writing for name in DEVICES}
        for path, rights in allowed.items():
            try:
                place = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            kept = rights & everything if stat.S_ISDIR(os.fstat(place).st_mode) else rights & everything & OF_A_FILE
            call(ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", kept, place), 0)
            os.close(place)
        done = call(RESTRICT_SELF, rules, 0)
        os.close(rules)
        return bool(done == 0)

    # When all is over

    def keep(self) -> None:
        """Keep the machine code that the program has made, if it is not too much; nobody else runs any more."""
        if self._keeping >= 0:
            keep_files(f"{SCRATCH}/cache", self._keeping)


class Fence:
    """What is put up where no wall is wanted: no look into other processes, and from Linux 6.12 on no signals to them.

    Landlock lets nobody trace a process that is not in its own domain, or in one below; that is the reason to be in
    one. What else it may forbid is left free as far as it can be.
    """

    has_processes = False
    lacking: tuple[str, ...] = ()

    def build(self) -> None:
        """Nothing is built."""

    def close(self) -> None:
        """From here on, for this process and whatever it becomes."""
        for capability in range(FIRST_DROPPED, MOST_CAPABILITIES):
            _control(PR_CAPBSET_DROP, capability)
        _control(PR_SET_NO_NEW_PRIVS, 1)
        version = landlock_version()
        if version < 1:
            return
        call = _library().syscall
        if version >= 6:
            handled = struct.pack("3Q", 0, 0, SCOPE_SIGNAL)
        else:
            handled = struct.pack("Q", MOVE_BETWEEN_FOLDERS if version > 1 else MAKE_BLOCK_DEVICES)
        rules = call(CREATE_RULESET, handled, len(handled), 0)
        if rules < 0:
            return
        if 1 < version < 6:
            everywhere = os.open("/", os.O_PATH)
            call(ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", MOVE_BETWEEN_FOLDERS, everywhere), 0)
            os.close(everywhere)
        call(RESTRICT_SELF, rules, 0)
        os.close(rules)

    def keep(self) -> None:
        """Nothing is kept."""


def _write(path: str, text: str) -> None:
    number = os.open(path, os.O_WRONLY)
    try:
        os.write(number, text.encode())
    finally:
        os.close(number)


def _release() -> tuple[int, int]:
    major, minor = os.uname().release.split(".")[:2]
    return int(major), int("".join(letter for letter in minor if letter.isdigit()) or 0)


class Groups:
    """The cgroups of a process, of either version; empty ones that others have left behind are cleared away.

    `limited` says what they limit, "memory" and "pids", nothing where none may be made. The system takes milliseconds
    to let a process in, so this is done by whoever has started it, while it starts.
    """

    def __init__(self, process: int, memory: int) -> None:
        self.limited: list[str] = []
        self._folders: list[str] = []
        limits = (
            ("memory", ("memory.max", "memory.limit_in_bytes"), memory or 1 << 62),
            ("pids", ("pids.max", "pids.max"), PROCESSES),
        )
        for controller, names, value in limits if LINUX else ():
            with contextlib.suppress(OSError):
                folder, version = _group_folder(controller)
                place = f"{folder}/{GROUP}{process}"
                _clear(folder)
                if place not in self._folders:
                    os.mkdir(place)
                    self._folders.append(place)
                _write(f"{place}/{names[0 if version == 2 else 1]}", str(value))
                _write(f"{place}/cgroup.procs", str(process))
                self.limited.append(controller)

    def remove(self) -> None:
        """When nobody is left in them; what cannot be removed yet is cleared away at the next start."""
        for place in self._folders:
            with contextlib.suppress(OSError):
                os.rmdir(place)


def _clear(folder: str) -> None:
    for old in os.listdir(folder):
        if old.startswith(GROUP) and not os.path.exists(f"/proc/{old.removeprefix(GROUP)}"):
            with contextlib.suppress(OSError):
                os.rmdir(f"{folder}/{old}")


def _group_folder(controller: str) -> tuple[str, int]:
    """The folder in which a group with this controller can be made, and the version; `OSError` if there is none."""
    places: dict[str, str] = {}
    with open("/proc/self/cgroup") as file:
        for line in file:
            _, controllers, place = line.rstrip("\n").split(":", 2)
            places |= dict.fromkeys(controllers.split(","), place)
    with open("/proc/self/mountinfo") as file:
        for line in file:
            before, _, after = line.partition(" - ")
            kind, _, options = after.split()[:3]
            words = before.split()
            if kind == "cgroup" and controller in options.split(",") and controller in places:
                return _beneath(words, places[controller]), 1
            if kind == "cgroup2" and "" in places:
                # In the second version a group has processes or groups with limits: the nearest that has the latter.
                folder = _beneath(words, places[""])
                while folder.startswith(words[4]):
                    with open(f"{folder}/cgroup.subtree_control") as listed:
                        if controller in listed.read().split() and os.access(folder, os.W_OK):
                            return folder, 2
                    folder = os.path.dirname(folder)
    raise Missing(controller)


def _beneath(words: list[str], place: str) -> str:
    """Where a group is found, below a mount that may show a part of the tree only."""
    root, target = words[3].rstrip("/"), words[4]
    return f"{target}{place.removeprefix(root)}".rstrip("/")


# The tree of files -------------------------------------------------------------------------------------------------


class _Tree:
    """A tree of files on memory, in which the old one is at /old until it is finished."""

    def __init__(self, corner: str) -> None:
        self._corner = corner
        self._turned = False
        self._mask = os.umask(0)

    def begin(self) -> None:
        number = PIVOT_ROOT.get(_machine())
        if number is None:
            raise Missing("pivot_root")
        self._links = {name: os.readlink(f"/{name}") for name in SYSTEM if os.path.islink(f"/{name}")}
        _mount("none", "/", "", MS_REC | MS_PRIVATE)
        _mount("tmpfs", self._corner, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=4m")
        os.mkdir(f"{self._corner}/old")
        os.chdir(self._corner)
        _checked(_library().syscall(number, b".", b"old"))
        self._turned = True
        os.chdir("/")
        for name in SYSTEM:
            if name in self._links:
                os.symlink(self._links[name], f"/{name}")
            elif os.path.isdir(f"/old/{name}"):
                self.show(f"/{name}")
        os.mkdir("/etc")
        for name in SETTINGS:
            if os.path.exists(self.old(f"/etc/{name}")):
                self.show(f"/etc/{name}")
        os.mkdir("/proc")
        _mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
        self._make_devices()

    def old(self, path: str) -> str:
        """Where a path of the machine is now: every link on the way is followed as it was meant, in the old tree."""
        place, parts = "", path.split("/")[::-1]
        followed = 0
        while parts:
            part = parts.pop()
            step = os.path.normpath(f"{place}/{part}")
            if part and followed < MOST_LINKS and os.path.islink(f"/old{step}"):
                followed += 1
                target = os.readlink(f"/old{step}")
                place = "" if target.startswith("/") else place
                parts += target.split("/")[::-1]
            else:
                place = step
        return f"/old{place}"

    def _make_devices(self) -> None:
        os.mkdir("/dev")
        for name in DEVICES:
            os.close(os.open(f"/dev/{name}", os.O_CREAT, 0o666))
            _mount(f"/old/dev/{name}", f"/dev/{name}", "", MS_BIND)
        for name, target in (("fd", "fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2")):
            os.symlink(f"/proc/self/{target}", f"/dev/{name}")

    def make_scratch(self, size: int) -> None:
        """The folder that can be written, with those inside it that are shown elsewhere too."""
        os.mkdir(SCRATCH)
        _mount("tmpfs", SCRATCH, "tmpfs", MS_NOSUID | MS_NODEV, f"mode=777,size={size},nr_inodes={MOST_FILES}")
        for name, target in (("tmp", "/tmp"), ("shm", "/dev/shm"), ("cache", "")):
            os.mkdir(f"{SCRATCH}/{name}")
            if target:
                os.mkdir(target)
                _mount(f"{SCRATCH}/{name}", target, "", MS_BIND)

    def show(self, path: str) -> None:
        """The same file or folder as on the machine, to be read."""
        source = self.old(path)
        if os.path.isdir(source):
            os.makedirs(path, exist_ok=True)
        else:
            os.close(os.open(path, os.O_CREAT, 0o644))
        _mount(source, path, "", MS_BIND | MS_REC)
        _set_attributes(path, ATTR_READ_ONLY | ATTR_NO_SUID | ATTR_NO_DEVICES)

    def copy(self, folder: str, files: list[str], number: int) -> None:
        """Copies of these files of a folder, in the same place, where they can be written."""
        place = f"{SCRATCH}/own{number}" if folder != "/" else SCRATCH
        for name in files:
            os.makedirs(os.path.dirname(f"{place}/{name}"), exist_ok=True)
            copy_file(self.old(f"{folder}/{name}"), f"{place}/{name}")
        if folder != "/":
            os.makedirs(folder, exist_ok=True)
            _mount(place, folder, "", MS_BIND)

    def finish(self) -> None:
        """From here on nothing of the old tree is there."""
        _checked(_library().umount2(b"/old", MNT_DETACH))
        os.rmdir("/old")
        os.umask(self._mask)
        _set_attributes("/", ATTR_READ_ONLY, recursive=False)

    def undo(self) -> None:
        """Back to the old tree, when not all of the new one could be made."""
        os.umask(self._mask)
        number = PIVOT_ROOT.get(_machine())
        if self._turned and number is not None:
            os.chdir("/old")
            _library().syscall(number, b".", self._corner[1:].encode())
            os.chdir("/")
        _library().umount2(self._corner.encode(), MNT_DETACH)


def _mount(source: str, target: str, kind: str, flags: int, data: str = "") -> None:
    arguments = (source.encode(), target.encode(), kind.encode() or None)
    _checked(_library().mount(*arguments, ctypes.c_ulong(flags), data.encode() or None))


def _set_attributes(path: str, attributes: int, *, recursive: bool = True) -> None:
    flags = AT_RECURSIVE if recursive else 0
    facts = struct.pack("4Q", attributes, 0, 0, 0)
    _checked(_library().syscall(MOUNT_SETATTR, HERE, path.encode(), flags, facts, ctypes.c_size_t(len(facts))))


def belongings(folder: str, named: list[str]) -> list[tuple[str, int]]:
    """The files of a folder that go with a program, by their paths in it, with their sizes.

    All of them, if they are not too many. Else those that are named, and the Python files beside them. A link that
    leads out of the folder is no part of it, unless it is named: who made the link may not read what it leads to.
    """
    found: list[tuple[str, int]] = []
    home = f"{os.path.realpath(folder).rstrip('/')}/"

    def is_own(path: str) -> bool:
        return not os.path.islink(path) or path in named or os.path.realpath(path).startswith(home)

    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__pycache__"]
        paths = [os.path.join(place, name) for name in files if not name.startswith(".")]
        found += [
            (os.path.relpath(path, folder), size) for path in paths if is_own(path) and (size := _size(path)) >= 0
        ]
        if len(found) > OWN_FILES or sum(size for _, size in found) > OWN_BYTES:
            break
    else:
        return found
    mine = [os.path.basename(file) for file in named if os.path.dirname(file) == folder]
    beside = [name for name in sorted(os.listdir(folder)) if name.endswith(".py")][:OWN_FILES]
    sizes = [
        (name, _size(f"{folder}/{name}")) for name in dict.fromkeys([*mine, *beside]) if is_own(f"{folder}/{name}")
    ]
    return [(name, size) for name, size in sizes if size >= 0 and (name in mine or size < LARGEST_FILE)]


def _weight(folder: str) -> int:
    """The sizes of all files below a folder."""
    return sum(max(0, _size(os.path.join(place, name))) for place, _, files in os.walk(folder) for name in files)


def _size(path: str) -> int:
    """The size of a file, also one behind a link; -1 for anything else."""
    try:
        found = os.stat(path)
    except OSError:
        return -1
    return found.st_size if stat.S_ISREG(found.st_mode) else -1


def copy_file(source: str, target: str) -> None:
    """A copy that everybody may read and write; no copy of a file that cannot be read."""
    try:
        reader = os.open(source, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return
    facts = os.fstat(reader)
    writer = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
    try:
        _pour(reader, writer)
        os.fchmod(writer, 0o777 if facts.st_mode & 0o111 else 0o666)
        os.utime(writer, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    finally:
        os.close(reader)
        os.close(writer)


def _pour(reader: int, writer: int) -> None:
    while data := os.read(reader, 1 << 20):
        while data:
            data = data[os.write(writer, data) :]


def copy_tree(source: str, target: str) -> None:
    """All files below a folder, into another one."""
    for place, _, files in os.walk(source):
        there = os.path.normpath(os.path.join(target, os.path.relpath(place, source)))
        os.makedirs(there, exist_ok=True)
        for name in files:
            copy_file(os.path.join(place, name), os.path.join(there, name))


def keep_files(source: str, target: int) -> None:
    """All plain files below a folder, into an open one, if they are not too many; links are not followed."""
    found: list[tuple[str, int]] = []
    for place, folders, files in os.walk(source):
        for name in (*folders, *files):
            path = os.path.join(place, name)
            facts = os.lstat(path)
            if stat.S_ISREG(facts.st_mode):
                found.append((os.path.relpath(path, source), facts.st_size))
    if len(found) > OWN_FILES or sum(size for _, size in found) > KEPT_BYTES:
        return
    for name, _ in found:
        parts = name.split("/")
        for depth in range(1, len(parts)):
            with contextlib.suppress(FileExistsError):
                os.mkdir("/".join(parts[:depth]), dir_fd=target)
        reader = os.open(os.path.join(source, name), os.O_RDONLY | os.O_NOFOLLOW)
        new = f"{name}.{os.urandom(4).hex()}"  # another process may be keeping the same file
        writer = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=target)
        _pour(reader, writer)
        os.close(reader)
        os.close(writer)
        os.rename(new, name, src_dir_fd=target, dst_dir_fd=target)


# System calls ------------------------------------------------------------------------------------------------------

MACHINES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
REFUSED = {
    "x86_64": (
        101, 103, 135, 154, 155, 159, 161, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 175, 176, 179, 203,
        222, 227, 237, 238, 240, 244, 246, 248, 249, 250, 251, 256, 272, 279, 298, 300, 303, 304, 305, 308, 310, 311,
        312, 313, 320, 321, 323,
    ),
    "aarch64": (
        30, 39, 40, 41, 51, 60, 89, 92, 97, 104, 105, 106, 107, 112, 116, 117, 122, 142, 161, 162, 170, 171, 180, 184,
        217, 218, 219, 224, 225, 235, 237, 238, 239, 241, 262, 264, 265, 266, 268, 270, 271, 272, 273, 280, 282, 294,
    ),
}  # fmt: skip
"""What no player needs, for other processes, for the machine, or to wake up when it is stopped: ptrace, syslog,
personality, pivot_root, chroot, mount and the like, the clock, modules, quotas, sched_setaffinity, timer_create, mbind
and the like, message queues, kexec, keys, ioprio_set, unshare, setns, perf_event_open, fanotify_init, file handles,
process_vm_readv and writev, kcmp, bpf, userfaultfd."""
REFUSED_EVERYWHERE = (424, 425, 426, 427, 428, 429, 430, 431, 432, 433, 434, 438, 440, 442, 448)
"""Signals, memory and files by open processes, io_uring, the newer ways to mount."""
CALLS = {
    "x86_64": {
        "prlimit": 302, "setrlimit": 160, "setpriority": 141, "sched": (142, 144, 314), "clone": 56, "kill": (62, 129),
        "tkill": 200, "tgkill": (234, 297), "fcntl": 72, "socket": 41,
    },
    "aarch64": {
        "prlimit": 261, "setrlimit": 164, "setpriority": 140, "sched": (118, 119, 274), "clone": 220,
        "kill": (129, 138), "tkill": 130, "tgkill": (131, 240), "fcntl": 25, "socket": 198,
    },
}  # fmt: skip
"""What is refused by its arguments."""
CLONE3, NO_SUCH_CALL, NOT_PERMITTED = 435, 38, 1
LOAD, EQUAL, AT_LEAST, HAS_BITS, ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, ERROR, END_PROCESS = 0x7FFF0000, 0x50000, 0x80000000
UNIX_SOCKETS = 1
LIMIT_OF_TIME = 0
"""RLIMIT_CPU."""
SET_SIGNAL = 10
"""`fcntl`: another signal than SIGIO when a file is ready. SIGCONT would wake up a program that is stopped."""


def refuse_calls(own: int) -> None:
    """Put the filter up, in the process of this id, for it and all that it starts; `OSError` if that cannot be."""
    machine = _machine() if LINUX and struct.calcsize("P") == 8 else ""
    if machine not in MACHINES:
        raise Missing("seccomp")
    program = b"".join(_filter(machine, own))
    buffer = ctypes.create_string_buffer(program, len(program))
    facts = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    _checked(_library().prctl(PR_SET_SECCOMP, 2, facts, 0, 0))


def _filter(machine: str, own: int) -> list[bytes]:
    """The program that the kernel runs at every call; each step is one word of it."""
    steps: list[bytes] = []
    refuse = ERROR | NOT_PERMITTED

    def step(code: int, value: int, yes: int = 0, no: int = 0) -> None:
        steps.append(struct.pack("HBBI", code, yes, no, value & 0xFFFFFFFF))

    def load(argument: int, half: int = 0) -> None:
        step(LOAD, 16 + 8 * argument + 4 * half)

    def block(numbers: object, body: list[bytes]) -> None:
        """For these calls the body, which ends with an answer; for others go on."""
        for number in numbers if isinstance(numbers, tuple) else (numbers,):
            step(EQUAL, number, 0, len(body))
            steps.extend(body)

    def body(*parts: tuple[int, int, int, int]) -> list[bytes]:
        return [struct.pack("HBBI", code, yes, no, value & 0xFFFFFFFF) for code, value, yes, no in parts]

    def argument(number: int, half: int = 0) -> tuple[int, int, int, int]:
        return LOAD, 16 + 8 * number + 4 * half, 0, 0

    answer_yes, answer_no = (ANSWER, ALLOW, 0, 0), (ANSWER, refuse, 0, 0)

    def foreign(place: int) -> list[tuple[int, int, int, int]]:
        """Go on with the next step if the argument is one of those signals; else it is allowed."""
        count = len(FOREIGN_SIGNALS)
        tests = [(EQUAL, number, count - n, 0) for n, number in enumerate(FOREIGN_SIGNALS)]
        return [argument(place), *tests, answer_yes]

    step(LOAD, 4)
    step(EQUAL, MACHINES[machine], 1, 0)
    step(ANSWER, END_PROCESS)
    step(LOAD, 0)
    if machine == "x86_64":  # the same calls under other numbers
        step(AT_LEAST, 0x40000000, 0, 1)
        step(ANSWER, refuse)
    calls = CALLS[machine]
    block(CLONE3, body((ANSWER, ERROR | NO_SUCH_CALL, 0, 0)))
    for number in (*REFUSED[machine], *REFUSED_EVERYWHERE):
        block(number, body(answer_no))
    # Of itself it may change all limits but that of processor time, which would end it by a signal.
    block(
        calls["prlimit"],
        body(
            argument(0), (EQUAL, 0, 1, 0), answer_no, argument(1), (EQUAL, LIMIT_OF_TIME, 1, 0), answer_yes,
            argument(2), (EQUAL, 0, 0, 2), argument(2, 1), (EQUAL, 0, 1, 0), answer_no, answer_yes,
        ),
    )  # fmt: skip
    block(calls["setrlimit"], body(argument(0), (EQUAL, LIMIT_OF_TIME, 0, 1), answer_no, answer_yes))
    block(
        calls["setpriority"],
        body(argument(0), (EQUAL, 0, 0, 2), argument(1), (EQUAL, 0, 1, 0), answer_no, answer_yes),
    )
    block(calls["sched"], body(argument(0), (EQUAL, 0, 1, 0), answer_no, answer_yes))
    block(calls["clone"], body(argument(0), (HAS_BITS, NAMESPACES, 0, 1), answer_no, answer_yes))
    block(calls["fcntl"], body(argument(1), (EQUAL, SET_SIGNAL, 0, 1), answer_no, answer_yes))
    block(calls["socket"], body(argument(0), (EQUAL, UNIX_SOCKETS, 1, 0), answer_no, answer_yes))
    everybody = [(EQUAL, number, 4 - n, 0) for n, number in enumerate((0, -1, own, -own))]
    block(calls["kill"], body(*foreign(1), argument(0), *everybody, answer_yes, answer_no))
    block(calls["tkill"], body(*foreign(1), answer_no))
    block(calls["tgkill"], body(*foreign(2), argument(0), (EQUAL, own, 1, 0), answer_yes, answer_no))
    step(ANSWER, ALLOW)
    return steps


def landlock_version() -> int:
    """What the system has of it; 0 or less if nothing."""
    return int(_library().syscall(CREATE_RULESET, None, 0, ASK_VERSION)) if LINUX else 0
