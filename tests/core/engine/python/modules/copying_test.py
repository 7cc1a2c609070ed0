#!/usr/bin/env python3
"""Tensors of GPUs on their way to Ulpscope, with GPUs that are not here: copies end when a test says so, in any order, or fail.

    copying_test.py
"""
import os
import pathlib
import random
import sys
import unittest
from unittest import mock

MEMORY_BYTES = 1 << 30
os.dup2(os.memfd_create("tensors"), 4)  # as Ulpscope hands it over, and before torch opens files
os.truncate(4, MEMORY_BYTES)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[5] / "resources/python"))

import torch  # noqa: E402
from ulpscope_engine import copying, exchange  # noqa: E402


class OfGpu(torch.Tensor):
    """A tensor that is on a GPU, for these tests."""


def of_gpu(*numbers):
    return torch.tensor(numbers, dtype=torch.float32).as_subclass(OfGpu)


class LateCopy:
    """Memory holds anything until it is complete."""

    def __init__(self, gpus, place, tensor):
        self._gpus, self.place, self._tensor, self.failure, self.is_done = gpus, place, tensor.clone(), None, False
        place.fill_(float("nan"))

    def end(self, failure=None):
        if not self.is_done:
            self._gpus.under_way.remove(self)
            self.failure, self.is_done = failure, True
            if failure is None:
                self.place.copy_(self._tensor)

    def is_complete(self):
        if self.failure is not None:
            raise self.failure
        return self.is_done

    def wait(self):
        self.end()
        self.is_complete()


class LateGpus(copying.Gpus):
    def __init__(self):
        self.under_way, self.pieces, self.refusal, self.is_late = [], [], "", True

    def takes(self, tensor):
        return isinstance(tensor, OfGpu)

    def lock(self, address, size):
        if not self.refusal:
            self.pieces.append((address, address + size))
        return self.refusal

    def start(self, place, tensor):
        assert any(begin <= place.data_ptr() and place.data_ptr() + place.nbytes <= end for begin, end in self.pieces)
        copy = LateCopy(self, place, tensor)
        self.under_way.append(copy)
        return copy


class Reader:
    """Ulpscope: what it was told, and what lay there then."""

    def __init__(self):
        self.told, self.answers, self.memory = [], [], None

    def send(self, **message):
        held = [self.memory.view(message[key], torch.empty(message["count"])).tolist() for key in ("offset", "keys") if key in message]
        self.told.append((message["name"], *held))

    def receive(self, waits=True):
        assert self.answers or not waits, "waits for what nobody sends"
        return self.answers.pop(0) if self.answers else None


class Copying(unittest.TestCase):
    def setUp(self):
        self.begin()

    def begin(self):
        self.gpus, self.reader = LateGpus(), Reader()
        self.memory = self.reader.memory = exchange.SharedMemory(copying.Outbox(self.reader), self.gpus)

    def show(self, name, tensor, **more):
        offset = self.memory.put(tensor)
        self.memory.outbox.send(name=name, offset=offset, count=tensor.numel(), **more)
        return offset

    def told(self):
        return [name for name, *_ in self.reader.told]

    def test_nothing_is_told_of_a_tensor_before_its_copy_is_complete(self):
        self.show("one", of_gpu(1, 2))
        self.memory.outbox.send(name="micro batch")
        self.show("two", of_gpu(3, 4))
        self.show("three", of_gpu(5, 6))
        self.assertEqual(self.reader.told, [])
        first, second, third = self.gpus.under_way
        second.end()
        self.show("of the CPU", torch.tensor([7.0, 8.0]))
        self.assertEqual(self.reader.told, [])
        first.end()
        self.memory.put(torch.ones(1))
        self.assertEqual(self.reader.told, [("one", [1, 2]), ("micro batch",), ("two", [3, 4])])
        third.end()
        self.memory.put(torch.ones(1))
        self.assertEqual(self.reader.told[3:], [("three", [5, 6]), ("of the CPU", [7, 8])])

    def test_a_message_waits_for_all_of_its_tensors(self):
        keys = self.memory.put(of_gpu(1, 2))
        self.show("rows", of_gpu(3, 4), keys=keys)
        self.gpus.under_way[1].end()
        self.assertIsNone(self.memory.outbox.receive(waits=False))
        self.assertEqual(self.reader.told, [])
        self.gpus.under_way[0].end()
        self.memory.outbox.receive(waits=False)
        self.assertEqual(self.reader.told, [("rows", [3, 4], [1, 2])])

    def test_all_is_told_before_an_answer_is_waited_for(self):
        self.show("one", of_gpu(1))
        self.show("logits", of_gpu(2))
        self.reader.answers = [{"evaluated": True}]
        self.assertEqual(self.memory.outbox.receive(), {"evaluated": True})
        self.assertEqual(self.reader.told, [("one", [1]), ("logits", [2])])

    def test_tensors_of_the_cpu_are_told_at_once_and_from_memory_that_is_not_locked(self):
        self.show("small", torch.tensor([1.0, 2.0]))
        large = torch.arange(1.0 + (exchange.SMALL_BYTES >> 2))
        self.show("large", large)
        self.assertEqual(self.reader.told, [("small", [1, 2]), ("large", large.tolist())])
        self.assertEqual(self.gpus.pieces, [])

    def test_a_full_memory_waits_for_the_oldest_copy_and_then_for_ulpscope(self):
        with mock.patch.object(exchange, "AHEAD_BYTES", 100):
            first = self.show("one", of_gpu(1))
            self.show("two", of_gpu(2))
            newest = self.gpus.under_way[1]
            self.reader.answers = [None, {"seen": 1, "free": [first]}]
            self.show("three", of_gpu(3))
            self.assertEqual(self.told(), ["one"])
            self.assertFalse(newest.is_done)
            self.assertEqual(self.memory.places.ahead, 128)
            self.reader.answers = [None, None, {"seen": 2, "free": []}]
            self.show("four", of_gpu(4))
        self.assertEqual(self.told(), ["one", "two", "three"])
        self.assertEqual(self.memory.places.ahead, 64)

    def test_memory_is_not_used_again_while_something_is_copied_there_or_looked_at(self):
        with mock.patch.multiple(exchange, PIECE_BYTES=1 << 14, AHEAD_BYTES=1 << 13):
            for seed in range(20):
                self.begin()
                self.use_at_random(random.Random(seed))

    def use_at_random(self, draws):
        """A model, GPUs and a reader that each do something now and then."""
        shown = []  # (name, place, numbers)
        looked_at, let_go = [0], set()

        def look(waits=True):
            told = len(self.reader.told) - looked_at[0]
            self.assertFalse(waits and told == 0, "waits for what nobody sends")
            if told == 0 or not waits and draws.random() < 0.7:
                return None
            looked_at[0] += told
            kept = [each for each in range(looked_at[0]) if each not in let_go]
            gone = draws.sample(kept, draws.randint(0, len(kept)))
            for each in gone:
                _, place, numbers = shown[each]
                self.assertEqual(self.memory.view(place, torch.empty(len(numbers))).tolist(), numbers)
            let_go.update(gone)
            return {"seen": told, "free": [shown[each][1] for each in gone]}

        self.reader.receive = look
        for name in range(150):
            numbers = torch.full((draws.choice([1, 16, 17, 900, 2000]),), float(name))
            tensor = numbers.as_subclass(OfGpu) if draws.random() < 0.8 else numbers
            place = self.memory.put(tensor)
            shown.append((name, place, numbers.tolist()))
            self.memory.outbox.send(name=name, offset=place, count=len(numbers))
            for copy in draws.sample(self.gpus.under_way, draws.randint(0, len(self.gpus.under_way))):
                copy.end()
        self.memory.outbox.finish()
        self.assertEqual(self.reader.told, [(name, numbers) for name, _, numbers in shown])

    def test_a_copy_that_fails_is_the_error_of_its_run_and_no_memory_is_lost(self):
        def run():
            with self.memory.settled():
                self.show("one", of_gpu(1))
                self.show("two", of_gpu(2))
                self.memory.put(torch.ones(1))
                first, second = self.gpus.under_way
                first.end()
                second.end(RuntimeError("CUDA error: an illegal memory access was encountered"))
                self.show("three", of_gpu(3))

        with self.assertRaisesRegex(RuntimeError, "illegal memory access"):
            run()
        self.assertEqual(self.told(), ["one"])
        self.assertEqual((self.memory.places.ahead, list(self.memory.places.unseen)), (64, [64]))
        end = self.memory.places.end
        self.show("next run", of_gpu(4))
        self.memory.outbox.finish()
        self.assertEqual(self.reader.told[1:], [("next run", [4])])
        self.assertEqual(self.memory.places.end, end)

    def test_an_error_of_the_model_comes_behind_what_was_made_before_it(self):
        with self.assertRaisesRegex(ValueError, "of the model"), self.memory.settled():
            self.show("one", of_gpu(1))
            place = self.memory.put(of_gpu(2))
            raise ValueError("of the model")
        self.assertEqual(self.reader.told, [("one", [1])])
        self.assertEqual(self.gpus.under_way, [])
        self.assertEqual(self.memory.places.ahead, 64)
        self.assertEqual(self.memory.put(of_gpu(3)), place)

    def test_a_copy_that_cannot_be_started_takes_no_memory(self):
        with mock.patch.object(LateGpus, "start", side_effect=RuntimeError("CUDA out of memory")), self.assertRaises(RuntimeError):
            self.memory.put(of_gpu(1))
        self.assertEqual(self.memory.places.ahead, 0)
        self.assertEqual(self.memory.places.locked, {64: [0]})

    def test_a_tensor_lies_in_one_piece_of_locked_memory(self):
        with mock.patch.object(exchange, "PIECE_BYTES", 1 << 14):
            for count in (1, 1000, 1000, 1000, 1000, 1000, 5000, 16):
                self.show("some", torch.zeros(count).as_subclass(OfGpu))  # start() looks where it lies
        sizes = [end - begin for begin, end in self.gpus.pieces]
        self.assertEqual(sizes, [1 << 14, 1 << 14, 20480])
        self.assertEqual(len({begin for begin, _ in self.gpus.pieces}), 3)

    def test_where_memory_cannot_be_locked_the_model_waits_and_the_user_is_told_once(self):
        self.gpus.refusal = "operation not permitted (800)"
        with mock.patch.object(LateGpus, "finish") as finish:
            for name in ("one", "two"):
                self.show(name, of_gpu(1, 2))
        self.assertEqual(self.reader.told, [("one", [1, 2]), ("two", [1, 2])])
        self.assertEqual(finish.call_count, 2)
        self.assertEqual(self.gpus.under_way, [])
        self.assertEqual(len(self.memory.notes), 1)
        self.assertIn("cannot be page-locked: operation not permitted (800)", self.memory.notes[0])

    def test_another_process_locks_the_memory_again_that_it_takes_over(self):
        place = self.show("one", of_gpu(1))
        self.memory.outbox.finish()
        self.memory.take({"seen": 1, "free": [place]})
        places = self.memory.places
        self.begin()
        self.memory.places = places
        self.assertEqual(self.show("two", of_gpu(2)), place)
        self.show("three", of_gpu(3))
        self.assertEqual(len(self.gpus.pieces), 1)
        self.assertEqual(places.end, exchange.PIECE_BYTES)

    def test_waiting_for_devices_is_measured(self):
        self.show("one", of_gpu(1))
        with mock.patch.object(copying.time, "perf_counter", side_effect=[10.0, 12.5]):
            self.memory.outbox.finish()
        self.assertEqual(self.memory.outbox.waited, 2.5)


class Cuda(unittest.TestCase):
    """What is asked of CUDA, in which order."""

    def setUp(self):
        self.calls = mock.Mock()
        self.cuda = self.enterContext(mock.patch.multiple(
            torch.cuda, current_stream=self.calls.current_stream, Event=self.calls.Event, cudart=self.calls.cudart,
            check_error=self.calls.check_error, is_current_stream_capturing=self.calls.is_current_stream_capturing))
        self.calls.is_current_stream_capturing.return_value = False
        self.stream, self.event = self.calls.current_stream.return_value, self.calls.Event.return_value

    def started(self):
        tensor, place = self.calls.tensor, self.calls.place
        return copying.Gpus().start(place, tensor), place, tensor

    def test_a_copy_is_behind_the_current_stream_of_the_device_of_the_tensor(self):
        copy, place, tensor = self.started()
        self.assertEqual(self.calls.mock_calls, [
            mock.call.current_stream(tensor.device), mock.call.place.copy_(tensor, non_blocking=True),
            mock.call.tensor.record_stream(self.stream), mock.call.Event(blocking=True), mock.call.Event().record(self.stream)])
        self.event.query.side_effect = [False, True]
        self.assertEqual([copy.is_complete(), copy.is_complete()], [False, True])
        copy.wait()
        self.event.synchronize.assert_called_once_with()

    def test_no_event_is_asked_while_a_graph_is_recorded(self):
        copy, *_ = self.started()
        self.calls.is_current_stream_capturing.return_value = True
        self.assertFalse(copy.is_complete())
        self.event.query.assert_not_called()
        copying.Gpus().finish(mock.Mock(is_cuda=True))
        self.stream.synchronize.assert_not_called()

    def test_an_error_of_locking_is_not_left_to_the_next_kernel(self):
        self.assertEqual(copying.Gpus().lock(4096, 8192), "")
        self.calls.cudart().cudaHostRegister.assert_called_once_with(4096, 8192, copying.FOR_EVERY_DEVICE)
        self.calls.check_error.side_effect = RuntimeError("out of memory (2)")
        with mock.patch.object(torch, "ones", side_effect=RuntimeError("CUDA error: out of memory")) as kernel:
            self.assertEqual(copying.Gpus().lock(4096, 8192), "out of memory (2)")
        kernel.assert_called_once_with(1, device="cuda")

    def test_what_the_cpu_has_to_finish_is_waited_for(self):
        self.assertFalse(copying.Gpus().takes(torch.ones(2)))
        with mock.patch.object(torch.Tensor, "is_cuda", True):
            for tensor, is_taken in ((torch.ones(2), True), (torch.ones(2, 2).t(), True), (torch.ones(0), False),
                                     (torch.view_as_real(torch.ones(2, dtype=torch.complex64).conj().resolve_conj()), True),
                                     (torch.ones(2, dtype=torch.complex64).conj().imag, False),
                                     (torch.ones(2, dtype=torch.complex64).conj(), False), (torch.ones(2, 2).to_sparse(), False),
                                     (of_gpu(1), False)):
                self.assertEqual(copying.Gpus().takes(tensor), is_taken, tensor)
            self.calls.is_current_stream_capturing.return_value = True
            self.assertFalse(copying.Gpus().takes(torch.ones(2)))


if __name__ == "__main__":
    unittest.main()
