"""Files that are loaded as modules."""

from __future__ import annotations

import threading

from plyground.core.sources import load_module


def test_no_thread_gets_a_module_that_another_has_not_run_to_its_end(tmp_path, monkeypatch):
    """The file waits in its middle until somebody else asks for it, or has had the time to."""
    asked = threading.Event()
    monkeypatch.setattr(threading, "asked", asked, raising=False)
    file = tmp_path / "half.py"
    file.write_text("import threading\nthreading.begun.set()\nthreading.asked.wait(0.2)\nlast = 1\n")
    monkeypatch.setattr(threading, "begun", threading.Event(), raising=False)
    found = []
    first = threading.Thread(target=lambda: found.append(load_module(file).last))
    first.start()
    assert threading.begun.wait(60)
    second = threading.Thread(target=lambda: (found.append(load_module(file).last), asked.set()))
    second.start()
    first.join()
    second.join()
    assert found == [1, 1]
