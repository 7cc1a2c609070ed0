#include "core/analysis/studies/model_outline.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/model_limits.h"
#include "core/base/text/regular_expression.h"
#include "core/json/parse.h"
#include "core/tensors/formats/gguf/gguf.h"

namespace ulp::analysis {
namespace {

using json::Value;

constexpr std::size_t kConfigLimit = std::size_t{16} << 20;
constexpr std::string_view kLlama = "llama";

Result<Value> configOfFolder(const std::filesystem::path& folder) {
  const auto file = folder / "config.json";
  const auto text = ULP_TRY(readTextFile(file, kConfigLimit));
  return whileDoing(file.string(), json::parseObject(text));
}

Result<Value> configOfGguf(const std::filesystem::path& path) {
  const auto file = ULP_TRY(tensors::GgufFile::open(path));
  const tensors::GgufFile& gguf = *file;
  const auto architecture = ULP_TRY(gguf.text("general.architecture"));
  Value config = json::Object{{"model_type", architecture}, {"tie_word_embeddings", true}};
  using Field = std::pair<std::string_view, const char*>;
  constexpr std::array<Field, 6> kFields{Field{".block_count", "num_hidden_layers"},
                                         Field{".embedding_length", "hidden_size"},
                                         Field{".feed_forward_length", "intermediate_size"},
                                         Field{".attention.head_count", "num_attention_heads"},
                                         Field{".attention.head_count_kv", "num_key_value_heads"},
                                         Field{".attention.key_length", "head_dim"}};
  for (const auto& [suffix, field] : kFields) {
    if (const auto value = gguf.integer(std::string(architecture) + std::string(suffix))) {
      config[field] = *value;
    }
  }
  for (const tensors::TensorInfo& tensor : gguf.tensors()) {
    if (tensor.name == "token_embd.weight" && tensor.shape.size() == 2) {
      config["vocab_size"] = tensor.shape.front();
    } else if (tensor.name == "output.weight") {
      config["tie_word_embeddings"] = false;
    }
  }
  return config;
}

/// Reads fields of a configuration; the first that is wrong is the error.
class FieldReader {
 public:
  FieldReader(const Value& config, std::string origin)
      : m_config(config), m_origin(std::move(origin)) {}

  std::int64_t size(const char* field) {
    const std::int64_t size = m_config.at(field).integer();
    if (size < 1) {
      refuse(field, "must be a whole number above 0");
    } else if (const auto believed = checkModelSize(field, size); !believed) {
      refuse(field, believed.error().message());
    }
    return std::max<std::int64_t>(size, 0);
  }
  std::int64_t size(const char* field, std::int64_t otherwise) {
    return m_config.at(field).isNull() ? otherwise : size(field);
  }
  [[nodiscard]] const std::string& problem() const { return m_problem; }

 private:
  void refuse(const char* field, std::string_view problem) {
    if (m_problem.empty()) {
      m_problem = fmt::format("{}: {}: {}", m_origin, field, problem);
    }
  }

  const Value& m_config;
  std::string m_origin;
  std::string m_problem;
};

Result<ModelOutline> outlineOf(const Value& config, const std::string& origin) {
  const std::string& type = config.at("model_type").text();
  if (type != kLlama) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{}: the modules of '{}' are known to the engine alone", origin, type));
  }
  FieldReader read(config, origin);
  ModelOutline model{.architecture = type,
                     .layers = read.size("num_hidden_layers"),
                     .hidden = read.size("hidden_size"),
                     .intermediate = read.size("intermediate_size"),
                     .heads = read.size("num_attention_heads"),
                     .vocabulary = read.size("vocab_size"),
                     .isTied = config.at("tie_word_embeddings").boolean()};
  model.keyValueHeads = read.size("num_key_value_heads", model.heads);
  model.headSize = read.size(
      "head_dim", model.heads == 0 ? 0 : model.hidden / std::max<std::int64_t>(1, model.heads));
  if (!read.problem().empty()) {
    return fail(ErrorCode::CorruptData, read.problem());
  }
  return model;
}

constexpr std::array<std::string_view, 2> kRotaryTables{"self_attn.rotary.cos",
                                                        "self_attn.rotary.sin"};

/// The module that an operation of a layer belongs to: ".self_attn" of "self_attn.rotary.cos".
std::string ownerOf(std::string_view operation) {
  const auto dot = operation.find('.');
  return dot == std::string_view::npos ? std::string()
                                       : "." + std::string(operation.substr(0, dot));
}

/// Collects the sites of one model and input.
class SiteList {
 public:
  SiteList(const ModelOutline& model, const CaptureShape& capture)
      : m_model(model), m_capture(capture) {}

  std::vector<OutlineSite> collect() {
    forward();
    if (m_capture.backward) {
      backward();
      if (m_capture.parameterGradients) {
        parameterGradients();
      }
      optimizerStep();
    }
    return std::move(m_sites);
  }

 private:
  /// A module or an operation of a layer.
  struct Module {
    std::string_view name;
    std::int64_t outputs = 0;  ///< width of what it gives
    std::int64_t inputs = 0;   ///< width of what its gradient belongs to; 0: it has none
    bool isOperation = false;
  };

  [[nodiscard]] static Module operation(std::string_view name, std::int64_t width) {
    return {name, width, width, true};
  }

  [[nodiscard]] std::vector<Module> modules() const {
    const std::int64_t query = m_model.heads * m_model.headSize;
    const std::int64_t keyValue = m_model.keyValueHeads * m_model.headSize;
    const std::int64_t scores = m_capture.isEager ? m_model.heads * m_capture.length : 0;
    const std::int64_t h = m_model.hidden;
    const std::int64_t m = m_model.intermediate;
    return {operation("input_layernorm.variance", 1),
            operation("input_layernorm.normalized", h),
            {"input_layernorm", h, h},
            {"self_attn.q_proj", query, h},
            {"self_attn.k_proj", keyValue, h},
            {"self_attn.v_proj", keyValue, h},
            {kRotaryTables[0], m_model.headSize, 0, true},
            {kRotaryTables[1], m_model.headSize, 0, true},
            operation("self_attn.rotary.query", query),
            operation("self_attn.rotary.key", keyValue),
            operation("self_attn.scores", scores),
            operation("self_attn.softmax", scores),
            operation("self_attn.attn_output", query),
            {"self_attn.o_proj", h, query},
            {"self_attn", h, h},
            operation("residual_mid", h),
            operation("post_attention_layernorm.variance", 1),
            operation("post_attention_layernorm.normalized", h),
            {"post_attention_layernorm", h, h},
            {"mlp.gate_proj", m, h},
            {"mlp.act_fn", m, m},
            {"mlp.up_proj", m, h},
            operation("mlp.product", m),
            {"mlp.down_proj", h, m},
            {"mlp", h, h}};
  }

  void add(Site site, std::int64_t count) {
    if (site.level <= m_capture.level || isOfParameters(site.pass)) {
      m_sites.push_back({std::move(site), static_cast<std::uint64_t>(count)});
    }
  }

  /// `width` elements for each token; where no machine holds so many, a number that can still be
  /// added up.
  void addRow(Site site, std::int64_t width) {
    constexpr std::int64_t kMost = std::int64_t{1} << 40;
    const std::int64_t tokens = m_capture.batch * m_capture.length;
    add(std::move(site), tokens > 0 && width > kMost / tokens ? kMost : width * tokens);
  }

  void addModule(int layer, const Module& module, Pass pass) {
    const std::int64_t width = pass == Pass::Forward ? module.outputs : module.inputs;
    const std::string path = fmt::format("model.layers.{}.{}", layer, module.name);
    const std::string owner =
        module.isOperation ? fmt::format("model.layers.{}{}", layer, ownerOf(module.name)) : path;
    const Site site{path, owner, layer, module.isOperation ? Level::Op : Level::Module, pass};
    if (std::ranges::find(kRotaryTables, module.name) != kRotaryTables.end()) {
      // One table for all sequences.
      add(site, width * m_capture.length);
    } else if (width > 0) {
      addRow(site, width);
    }
  }

  void addNormOperations(Pass pass) {
    std::array<Module, 2> all{operation("variance", 1), operation("normalized", m_model.hidden)};
    if (pass == Pass::Backward) {
      std::ranges::reverse(all);
    }
    for (const Module& module : all) {
      addRow({fmt::format("model.norm.{}", module.name), "model.norm", -1, Level::Op, pass},
             module.outputs);
    }
  }

  void addLayer(int layer, Pass pass) {
    addRow({fmt::format("decoder.{}", layer),
            fmt::format("model.layers.{}", layer),
            layer,
            Level::Layer,
            pass},
           m_model.hidden);
  }

  /// A row outside layers.
  void addOutside(const char* name, const char* module, Pass pass, std::int64_t width) {
    addRow({name, module, -1, Level::Layer, pass}, width);
  }

  void forward() {
    addOutside("embeddings", "model.embed_tokens", Pass::Forward, m_model.hidden);
    add({"model.rotary_emb.inv_freq", "model.rotary_emb", -1, Level::Op}, m_model.headSize / 2);
    for (const char* table : {"cos", "sin"}) {
      // One table for all sequences.
      add({fmt::format("model.rotary_emb.{}", table), "model.rotary_emb", -1, Level::Module},
          m_model.headSize * m_capture.length);
    }
    for (int layer = 0; layer < m_model.layers; ++layer) {
      for (const Module& module : modules()) {
        addModule(layer, module, Pass::Forward);
      }
      addLayer(layer, Pass::Forward);
    }
    addNormOperations(Pass::Forward);
    addOutside("norm", "model.norm", Pass::Forward, m_model.hidden);
    addOutside("logits", "lm_head", Pass::Forward, m_model.vocabulary);
    add({"loss", ""}, 1);
  }

  void backward() {
    addOutside("logits", "lm_head", Pass::Backward, m_model.vocabulary);
    addRow({"lm_head", "lm_head", -1, Level::Module, Pass::Backward}, m_model.hidden);
    addNormOperations(Pass::Backward);
    addOutside("norm", "model.norm", Pass::Backward, m_model.hidden);
    std::vector<Module> all = modules();
    std::ranges::reverse(all);
    for (int layer = static_cast<int>(m_model.layers) - 1; layer >= 0; --layer) {
      for (const Module& module : all) {
        if (module.inputs > 0) {
          addModule(layer, module, Pass::Backward);
        }
      }
      addLayer(layer, Pass::Backward);
    }
  }

  struct Parameter {
    std::string module;
    int layer = -1;
    std::int64_t count = 0;

    [[nodiscard]] std::string name() const { return module + ".weight"; }
  };

  [[nodiscard]] std::vector<Parameter> parameters() const {
    const std::int64_t table = m_model.vocabulary * m_model.hidden;
    std::vector<Parameter> all{{"model.embed_tokens", -1, table}};
    for (int layer = 0; layer < m_model.layers; ++layer) {
      for (const Module& module : modules()) {
        const bool isNorm = module.name.ends_with("layernorm");
        if (isNorm || module.name.ends_with("_proj")) {
          all.push_back({fmt::format("model.layers.{}.{}", layer, module.name),
                         layer,
                         isNorm ? module.outputs : module.outputs * module.inputs});
        }
      }
    }
    all.push_back({"model.norm", -1, m_model.hidden});
    if (!m_model.isTied) {
      all.push_back({"lm_head", -1, table});
    }
    return all;
  }

  void parameterGradients() {
    for (const Parameter& each : parameters()) {
      add({each.name(), each.module, each.layer, Level::Module, Pass::ParameterGradient},
          each.count);
    }
  }

  void optimizerStep() {
    for (const Parameter& each : parameters()) {
      for (const std::string_view tensor : m_capture.optimizer) {
        add({fmt::format("{}.{}", each.name(), tensor),
             each.module,
             each.layer,
             Level::Module,
             Pass::Optimizer},
            each.count);
      }
    }
  }

  const ModelOutline& m_model;
  CaptureShape m_capture;
  std::vector<OutlineSite> m_sites;
};

/// Whether any fits; counts each that does.
Result<bool> countMatches(const std::string& name,
                          const std::vector<RegularExpression>& patterns,
                          std::vector<std::size_t>& counts) {
  bool any = false;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const bool fits = ULP_TRY(patterns[i].isFoundIn(name));
    counts[i] += fits ? 1 : 0;
    any = any || fits;
  }
  return any;
}

}  // namespace

Result<ModelOutline> readModelOutline(const std::filesystem::path& model,
                                      std::string_view overrides) {
  std::error_code ignored;
  auto config = ULP_TRY(std::filesystem::is_directory(model, ignored) ? configOfFolder(model)
                                                                      : configOfGguf(model));
  if (!overrides.empty()) {
    const auto changes = ULP_TRY(whileDoing("model.architecture", json::parseObject(overrides)));
    for (const auto& [name, value] : changes.members()) {
      ULP_TRY(whileDoing("model.architecture: " + name, checkModelSize(name, value.integer())));
      config[name] = value;
    }
  }
  return outlineOf(config, model.string());
}

std::vector<OutlineSite> outlineSites(const ModelOutline& model, const CaptureShape& capture) {
  return SiteList(model, capture).collect();
}

std::uint64_t parameterCount(const ModelOutline& model) {
  CaptureShape none{.level = Level::Layer, .parameterGradients = true, .batch = 0, .length = 0};
  std::uint64_t count = 0;
  for (const OutlineSite& site : outlineSites(model, none)) {
    count += site.site.pass == Pass::ParameterGradient ? site.count : 0;
  }
  return count;
}

Result<PatternMatches> matchPatterns(const std::vector<Site>& sites,
                                     const std::vector<std::string>& include,
                                     const std::vector<std::string>& exclude) {
  const auto included = ULP_TRY(compileExpressions(include));
  const auto excluded = ULP_TRY(compileExpressions(exclude));
  PatternMatches matches;
  matches.perInclude.resize(include.size());
  matches.perExclude.resize(exclude.size());
  for (const Site& site : sites) {
    if (site.name == "loss") {
      matches.captured.push_back(true);
      continue;
    }
    const bool isNamed = ULP_TRY(countMatches(site.name, included, matches.perInclude));
    const bool isIn = isNamed || include.empty();
    const bool isOut = ULP_TRY(countMatches(site.name, excluded, matches.perExclude));
    ++matches.sites;
    matches.included += isIn ? 1 : 0;
    matches.excluded += isIn && isOut ? 1 : 0;
    matches.captured.push_back(isIn && !isOut);
  }
  return matches;
}

}  // namespace ulp::analysis
