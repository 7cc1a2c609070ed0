"""Runs a model of PyTorch for Ulpscope and shows what each of its modules makes: the other side of core/engine/python.

Ulpscope starts server.main() with a socket (descriptor 3), on which requests and answers are lines of JSON, and with memory
that both share (descriptor 4), in which tensors lie. Hooks on modules, and on nodes that autograd makes anyway, only read: the
numbers are those of the model as it is, and its graph has no node more.
"""
