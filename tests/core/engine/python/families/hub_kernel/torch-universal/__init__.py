"""A kernel as the hub has them, of operations of torch: attention of one sequence after another."""
import torch


def flash_attn_func(queries, keys, values, dropout_p=0.0, softmax_scale=None, causal=False, **_):
    """[sequences, positions, heads, width] each; keys and values may have fewer heads."""
    groups = queries.shape[2] // keys.shape[2]
    queries, keys, values = (
        part.transpose(1, 2)
        for part in (queries, keys.repeat_interleave(groups, 2), values.repeat_interleave(groups, 2))
    )
    scores = queries @ keys.transpose(2, 3) * softmax_scale
    if causal:
        later = torch.ones(scores.shape[2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(later, float("-inf"))
    return (scores.float().softmax(-1).to(values.dtype) @ values).transpose(1, 2)


def flash_attn_varlen_func(queries, keys, values, cu_seqlens_q, cu_seqlens_k, max_seqlen_q=None, max_seqlen_k=None, **how):
    ends = zip(cu_seqlens_q[:-1], cu_seqlens_q[1:], cu_seqlens_k[:-1], cu_seqlens_k[1:])
    parts = [flash_attn_func(queries[None, a:b], keys[None, c:d], values[None, c:d], **how)[0] for a, b, c, d in ends]
    return torch.cat(parts)
