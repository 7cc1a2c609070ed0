"""The first step of torch.optim on the gradients of a run, tensor after tensor."""

import torch


def plans(plan):
    """Runs and the optimizers that follow them."""
    adamw = dict(type="adamw", state="float32", lr=1e-3, betas=[0.9, 0.999], eps=1e-8, weight_decay=0.01)
    return [
        plan("float32") | dict(optimizer=adamw),
        plan("bfloat16") | dict(optimizer=adamw),
        plan("float64") | dict(optimizer=adamw | dict(state="float64")),
        plan("float32") | dict(optimizer=adamw | dict(lr=0.1, betas=[0.8, 0.95], eps=1e-4, weight_decay=0)),
        plan("float32") | dict(optimizer=adamw | dict(state="bfloat16")),
        plan("bfloat16") | dict(optimizer=adamw | dict(state="bfloat16")),
        plan("float32") | dict(optimizer=adamw | dict(state="float16")),
        plan("float32") | dict(optimizer=dict(type="sgd", state="float32", lr=0.1, momentum=0, weight_decay=0)),
        plan("float32") | dict(optimizer=dict(type="sgd", state="float32", lr=0.1, momentum=0.9, weight_decay=0.1)),
        plan("float32") | dict(optimizer=dict(type="sgd", state="bfloat16", lr=0.1, momentum=0.9, weight_decay=0.1)),
    ]


def library_step(parameter, settings):
    """One step of torch.optim itself; gives its state."""
    common = dict(lr=settings["lr"], weight_decay=settings["weight_decay"], foreach=False)
    if settings["type"] == "adamw":
        optimizer = torch.optim.AdamW(
            [parameter], betas=settings["betas"], eps=settings["eps"], fused=False, **common
        )
    else:
        optimizer = torch.optim.SGD([parameter], momentum=settings["momentum"], fused=False, **common)
    optimizer.step()
    state = optimizer.state[parameter]
    if settings["type"] == "adamw":
        return dict(exp_avg=state["exp_avg"], exp_avg_sq=state["exp_avg_sq"])
    return {} if settings["momentum"] == 0 else dict(momentum=state["momentum_buffer"])


@torch.no_grad()
def rounded_step(parameter, settings):
    """The operations of _single_tensor_adam and _single_tensor_sgd, each state tensor cast to its
    format after its update."""
    gradient, state = parameter.grad, getattr(torch, settings["state"])
    lr, decay = settings["lr"], settings["weight_decay"]
    if settings["type"] == "sgd":
        gradient = gradient.add(parameter, alpha=decay) if decay else gradient
        shown = {}
        if settings["momentum"]:
            shown["momentum"] = gradient.clone().to(state)
            gradient = shown["momentum"].to(parameter.dtype)
        parameter.add_(gradient, alpha=-lr)
        return shown
    beta1, beta2 = settings["betas"]
    if decay:
        parameter.mul_(1 - lr * decay)
    average = torch.zeros_like(gradient).lerp_(gradient, 1 - beta1).to(state)
    square = torch.zeros_like(gradient).mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
    square = square.to(state)
    step_size = lr / (1 - beta1)
    denominator = (square.to(parameter.dtype).sqrt() / (1 - beta2) ** 0.5).add_(settings["eps"])
    parameter.addcdiv_(average.to(parameter.dtype), denominator, value=-step_size)
    return dict(exp_avg=average, exp_avg_sq=square)


def add_step(values, folder, run):
    """Adds what the optimizer of the run makes of its parameter gradients."""
    import transformers

    settings = run["optimizer"]
    dtype = torch.float64 if run["compute"] == "float64" else torch.float32
    stored = transformers.AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    for name, parameter in stored.named_parameters():
        gradient = values[name, "parameter_gradient"].to(dtype)
        old = parameter.detach().to(gradient)
        steps = []
        plain = getattr(torch, settings["state"]) == dtype
        for take in [library_step, rounded_step] if plain else [rounded_step]:
            changed = torch.nn.Parameter(old.clone())
            changed.grad = gradient
            state = {key: value.clone() for key, value in take(changed, settings).items()}
            steps.append(state | dict(update=changed.detach() - old))
        for key, value in steps[0].items():
            for other in steps[1:]:
                assert torch.equal(value, other[key]), (name, key)
            values[f"{name}.{key}", "optimizer"] = value
    return values
