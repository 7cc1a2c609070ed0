"""The first step of an optimizer of torch.optim, on a copy of each parameter."""
import torch

STATES = {"adamw": ("exp_avg", "exp_avg_sq"), "sgd": ("momentum",)}
BUFFERS = {"momentum": "momentum_buffer"}  # as torch.optim calls them


def optimizer_sites(site):
    """All that an optimizer may show of a parameter whose gradient has this site."""
    for tensor in ("exp_avg", "exp_avg_sq", "momentum", "update"):
        yield dict(site, name=f"{site['name']}.{tensor}", **{"pass": "optimizer"})


def step_of(plan, stored, gradient, is_double):
    """{what is shown: tensor} of one parameter, from zero state; the parameter as it is stored, in float32 or float64."""
    dtype = torch.float64 if is_double else torch.float32
    old = stored.detach().to(dtype)
    parameter = torch.nn.Parameter(old.clone())
    parameter.grad = gradient.detach().to(dtype).clone()
    common = {"lr": plan["learning_rate"], "weight_decay": plan["weight_decay"], "foreach": False}
    if plan["type"] == "adamw":
        optimizer = torch.optim.AdamW([parameter], betas=(plan["beta1"], plan["beta2"]), eps=plan["epsilon"], **common)
    else:
        optimizer = torch.optim.SGD([parameter], momentum=plan["momentum"], **common)
    optimizer.step()
    state = optimizer.state[parameter]
    shown = {name: state.get(BUFFERS.get(name, name)) for name in STATES[plan["type"]]}
    return {name: tensor for name, tensor in shown.items() if tensor is not None} | {"update": parameter.detach() - old}
