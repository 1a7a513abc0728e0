# out=: the tensor that is written, of the right shape or not, and what it refuses.
import torch
torch.set_default_dtype(torch.float64)
a=torch.ones(2,2)
o=torch.empty(2,2); r=torch.add(a,a,out=o); print(o, r is o)
o=torch.empty(0); torch.matmul(a,a,out=o); print(o)
v,i=torch.empty(0),torch.empty(0,dtype=torch.int64); torch.max(a,0,out=(v,i)); print(v,i)
try: torch.add(a.requires_grad_(),1,out=o)
except RuntimeError as e: print("RE")
with torch.no_grad(): print(torch.exp(a,out=o))
try: torch.exp(torch.ones(2),out=torch.empty(2,dtype=torch.int64))
except RuntimeError as e: print("RE")
try: torch.autograd.gradcheck(lambda x: x.detach() * x, a)
except Exception as e: print(type(e).__name__)
