"""model_server.py PORT MODEL.gguf MAX_TOKENS: llama.cpp's server on 127.0.0.1 until SIGTERM; see `model`."""

import signal
import sys

import xllamacpp

port, model, tokens = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
# In every thread that the server starts too: sigwait below is to have it.
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})

parameters = xllamacpp.CommonParams()
parameters.model.path = model
parameters.hostnames = ["127.0.0.1"]
parameters.port = port
parameters.n_ctx = 2048
parameters.n_parallel = 1
parameters.n_predict = tokens
parameters.cpuparams.n_threads = 2
parameters.warmup = False
parameters.use_jinja = True  # the template that knows of tools
parameters.sampling.temp = 0.0  # the same question, the same answer
server = xllamacpp.Server(parameters)
print("listening", flush=True)
signal.sigwait({signal.SIGTERM, signal.SIGINT})
# The server's threads do not end by themselves.
sys.stdout.flush()
signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM, signal.SIGINT})
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.raise_signal(signal.SIGTERM)
