"""PyTorch as the judge: one set of cases, run by PyTorch (recorded) and by this engine, and compared.

* `case.py`, `cases_*.py`: the cases, as data and short program texts; they import neither side.
* `running.py`: one case run on one side: results, gradients, gradients of gradients, or the error's class.
* `torch_side.py`, `engine_side.py`: what differs between the two.
* `record.py`: writes PyTorch's answers to `answers_*.json.gz`; `compare.py` says how two answers differ.
* `differences.py`: where PyTorch's number is wrong and ours is kept, judged by mpmath.
"""
