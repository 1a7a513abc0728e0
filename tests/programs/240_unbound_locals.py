# Variables without a value: which class of error a function, a closure and the module raise.
import torch
def u():
    try:
        print(loc)
    except UnboundLocalError as e: print("U")
    loc = 1
u()
def v(flag):
    if flag: q = 1
    return q
try: v(0)
except UnboundLocalError: print("U2")
def w():
    a = 1
    del a
    return a
try: w()
except UnboundLocalError: print("U3")
try: w()
except NameError as e: print("U3", type(e).__name__)
def outer():
    def inner(): return zz
    try: inner()
    except UnboundLocalError: print("no")
    except NameError: print("free var")
    zz = 1
outer()
zq = 1
del zq
try: zq
except UnboundLocalError: print("no")
except NameError as e: print("global", type(e).__name__)
def aug():
    cnt += 1
cnt = 0
try: aug()
except UnboundLocalError as e: print("aug")
def gl():
    global gg
    del gg
    return gg
gg = 1
try: gl()
except NameError as e: print(type(e).__name__)
def dl():
    del nn
    nn = 2
try: dl()
except UnboundLocalError as e: print("del")
def cl():
    k = 1
    def g(): 
        return k
    del k
    return g
try: cl()()
except NameError as e: print("cl", type(e).__name__)
def cl2():
    def g(): return k
    del k
    k = 1
try: cl2()
except NameError as e: print("cl2", type(e).__name__)
def lp():
    for i in []: pass
    return i
try: lp()
except UnboundLocalError as e: print("loop", type(e).__name__)
def ex():
    try: 1/0
    except ZeroDivisionError as e: pass
    return e
try: ex()
except UnboundLocalError as e: print("exc", type(e).__name__)
