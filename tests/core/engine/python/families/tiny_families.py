"""Tiny configurations of model families that only transformers knows, by model type: what differs from SMALL. Entries that
begin with an underscore say how a family is run:

_layers     the list of its layers, where it is not model.layers
_norm       its last norm, where it is not model.norm
"""

SMALL = dict(
    vocab_size=97,
    hidden_size=32,
    intermediate_size=48,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    max_position_embeddings=64,
    initializer_range=0.2,
    pad_token_id=0,
    bos_token_id=1,
    eos_token_id=2,
)
EXPERTS = dict(num_experts=4, num_local_experts=4, num_experts_per_tok=2, moe_intermediate_size=24)
LATENT = dict(
    q_lora_rank=12,
    kv_lora_rank=16,
    qk_nope_head_dim=8,
    qk_rope_head_dim=8,
    v_head_dim=8,
    num_key_value_heads=4,
    n_routed_experts=4,
    n_group=2,
    topk_group=1,
    first_k_dense_replace=1,
    n_shared_experts=1,
)
MAMBA = dict(
    mamba_n_heads=4,
    mamba_d_head=16,
    mamba_d_state=8,
    mamba_n_groups=1,
    mamba_d_conv=4,
    mamba_expand=2,
    mamba_chunk_size=4,
)
SLIDING = dict(sliding_window=5, layer_types=["sliding_attention", "full_attention"])

FAMILIES = {
    # dense
    "llama": dict(),
    "qwen2": dict(tie_word_embeddings=True),
    "qwen3": dict(head_dim=8),
    "gemma": dict(head_dim=8),
    "gemma2": dict(head_dim=8, query_pre_attn_scalar=8, final_logit_softcapping=2.0, **SLIDING),
    "gemma3_text": dict(head_dim=8, query_pre_attn_scalar=8, **SLIDING),
    "phi": dict(_norm="model.final_layernorm"),
    "phi3": dict(),
    "olmo2": dict(),
    "mistral": dict(head_dim=8, sliding_window=5),
    "gpt2": dict(n_embd=32, n_layer=2, n_head=4, n_positions=64, n_inner=48, _layers="transformer.h", _norm="transformer.ln_f"),
    "gpt_neox": dict(_layers="gpt_neox.layers", _norm="gpt_neox.final_layer_norm"),
    "falcon": dict(new_decoder_architecture=True, num_kv_heads=2, _layers="transformer.h", _norm="transformer.ln_f"),
    "stablelm": dict(),
    "cohere2": dict(head_dim=8, logit_scale=4.0, **SLIDING),
    "granite": dict(logits_scaling=8.0),
    "smollm3": dict(no_rope_layers=[1, 0]),
    "glm4": dict(head_dim=8),
    "opt": dict(ffn_dim=48, word_embed_proj_dim=32, _layers="model.decoder.layers", _norm="model.decoder.final_layer_norm"),
    "bloom": dict(n_layer=2, n_head=4, _layers="transformer.h", _norm="transformer.ln_f"),
    "mpt": dict(d_model=32, n_heads=4, n_layers=2, max_seq_len=64, expansion_ratio=2, _layers="transformer.blocks", _norm="transformer.norm_f"),
    # mixture of experts
    "mixtral": dict(EXPERTS),
    "qwen3_moe": dict(EXPERTS, head_dim=8),
    "olmoe": dict(EXPERTS),
    "gpt_oss": dict(EXPERTS, head_dim=8, **SLIDING),
    "granitemoe": dict(EXPERTS),
    # latent attention
    "deepseek_v2": dict(EXPERTS, **LATENT),
    "deepseek_v3": dict(EXPERTS, **LATENT),
    # state space, and hybrid
    "mamba": dict(state_size=8, expand=2, conv_kernel=4, time_step_rank=4, _layers="backbone.layers", _norm="backbone.norm_f"),
    "mamba2": dict(
        num_heads=8, head_dim=8, state_size=8, n_groups=1, chunk_size=4, expand=2, conv_kernel=4, _layers="backbone.layers", _norm="backbone.norm_f"
    ),
    "jamba": dict(
        EXPERTS,
        num_hidden_layers=4,
        attn_layer_period=2,
        attn_layer_offset=1,
        expert_layer_period=2,
        expert_layer_offset=1,
        mamba_d_state=8,
        mamba_d_conv=4,
        mamba_expand=2,
        mamba_dt_rank=4,
        use_mamba_kernels=False,
        _norm="model.final_layernorm",
    ),
    "falcon_h1": dict(MAMBA, mamba_d_ssm=64, head_dim=8, _norm="model.final_layernorm"),
    "bamba": dict(MAMBA, attn_layer_indices=[1], _norm="model.final_layernorm"),
    "zamba2": dict(
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=4,
        attention_head_dim=16,
        mamba_d_state=8,
        mamba_headdim=16,
        mamba_ngroups=1,
        n_mamba_heads=4,
        chunk_size=4,
        num_mem_blocks=1,
        layers_block_type=["mamba", "hybrid", "mamba", "hybrid"],
        use_mamba_kernels=False,
        _norm="model.final_layernorm",
    ),
    "qwen3_next": dict(
        EXPERTS,
        head_dim=8,
        linear_key_head_dim=8,
        linear_value_head_dim=8,
        linear_num_key_heads=2,
        linear_num_value_heads=4,
        shared_expert_intermediate_size=24,
        layer_types=["linear_attention", "full_attention"],
    ),
    "recurrent_gemma": dict(
        num_hidden_layers=3,
        lru_width=32,
        attention_window_size=5,
        head_dim=8,
        block_types=["recurrent", "recurrent", "attention"],
        _norm="model.final_norm",
    ),
    "lfm2": dict(_norm="model.embedding_norm", conv_L_cache=3, layer_types=["conv", "full_attention"]),
    # encoder and decoder
    "t5": dict(
        d_model=32, d_kv=8, d_ff=48, num_layers=2, num_decoder_layers=2, num_heads=4, decoder_start_token_id=0,
        _layers="decoder.block", _norm="decoder.final_layer_norm",
    ),
    "bart": dict(
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=48,
        decoder_ffn_dim=48,
        decoder_start_token_id=2,
        init_std=0.2,
        _layers="model.decoder.layers",
        _norm=None,
    ),
}


def settings_of(family, key, default=None):
    return FAMILIES[family].get("_" + key, default)


def config_of(family, **changes):
    import transformers

    fields = {key: value for key, value in (SMALL | FAMILIES[family] | changes).items() if not key.startswith("_")}
    config = transformers.AutoConfig.for_model(family, **fields)
    kind = transformers.AutoModelForSeq2SeqLM if config.is_encoder_decoder else transformers.AutoModelForCausalLM
    config.architectures = [kind._model_mapping[type(config)].__name__]
    return config, kind
