# The numbers that a seed gives, of every distribution, dtype and length.
import torch
torch.set_default_dtype(torch.float64)
t = torch
def go(f):
    t.manual_seed(5); a=f(); print(a, t.rand(1))
for dt in (t.float64,t.float32):
    for n in (0, 1, 2, 15, 16, 17, 33):
        go(lambda: t.randn(n,dtype=dt)); go(lambda: t.rand(n,dtype=dt)); go(lambda: t.empty(n,dtype=dt).normal_(2,3)); go(lambda: t.empty(n,dtype=dt).exponential_(2.))
        go(lambda: t.empty(n,dtype=dt).uniform_(-1,4)); go(lambda: t.bernoulli(t.full((n,),0.4,dtype=dt))); go(lambda:t.empty(n,dtype=dt).bernoulli_(0.4)); go(lambda: t.nn.functional.dropout(t.ones(n,dtype=dt),0.4))
        go(lambda: t.empty(n,dtype=dt).random_()); go(lambda: t.empty(n,dtype=dt).random_(5)); go(lambda: t.randint(-3,9,(n,),dtype=dt)); go(lambda:t.normal(t.arange(n,dtype=dt),2.)); go(lambda: t.normal(0.5,t.arange(n,dtype=dt)))
for dt in (t.int64,t.int32,t.uint8,t.bool,t.int8,t.int16):
    go(lambda: t.empty(5,dtype=dt).random_()); go(lambda: t.empty(5,dtype=dt).random_(2)); go(lambda: t.randint(2,(3,2),dtype=dt))
go(lambda: t.randperm(10)); go(lambda: t.randperm(1)); go(lambda: t.randperm(0)); go(lambda:t.randint(0,2**40,(3,))); go(lambda: t.randint(-2**63,2**63-1,(3,)))
w=t.tensor([[0.1,0.,3.,1.],[1.,1.,1.,1.]])
for k in (1,2,3): go(lambda: t.multinomial(w,k))
for k in (1,2,9): go(lambda: t.multinomial(w,k,replacement=True))
go(lambda: t.multinomial(w.float(),3)); go(lambda: t.multinomial(w.float(),5,True)); go(lambda: t.multinomial(w[0],2))
go(lambda: [t.randn(3),t.randn(()),t.randn(20),t.randn(1),t.randn(2,2)])
go(lambda: t.bernoulli(t.tensor(0.6))); go(lambda:t.bernoulli(t.zeros(4),0.5)); go(lambda:t.rand_like(t.ones(3))); go(lambda:t.randn_like(t.ones(3,6)))
g=t.Generator(); g.manual_seed(3); print(t.rand(2,generator=g),t.randn(2,generator=g),t.randperm(4,generator=g),t.randint(9,(3,),generator=g),t.multinomial(w,2,generator=g))
for s in (0,1,2**32+5,-1,2**63,12345678901): 
    t.manual_seed(s); print(t.rand(2), t.initial_seed())
t.manual_seed(0); print(t.vmap(lambda x: x+t.rand(2), randomness='same')(t.zeros(3,2)))
t.manual_seed(0); print(t.vmap(lambda x: x+t.rand(2), randomness='different')(t.zeros(3,2)))
