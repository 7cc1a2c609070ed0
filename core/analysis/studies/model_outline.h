#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/base/site.h"

namespace ulp::analysis {

/// The shapes of a model of the llama layout, as far as its configuration tells them without the
/// engine.
struct ModelOutline {
  std::string architecture;  ///< "llama"
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t intermediate = 0;
  std::int64_t heads = 0;
  std::int64_t keyValueHeads = 0;
  std::int64_t headSize = 0;
  std::int64_t vocabulary = 0;
  bool isTied = false;  ///< the head shares the embedding's weights
};

/// Reads the outline from the config.json of a Hugging Face folder, or the metadata of a GGUF file;
/// `overrides` is a JSON object of fields that replace those of config.json. Errors: NotFound;
/// CorruptData (a field is missing, no number, or beyond kModelLimits); Unsupported (an
/// architecture whose modules it does not know).
[[nodiscard]] Result<ModelOutline> readModelOutline(const std::filesystem::path& model,
                                                    std::string_view overrides = "{}");

/// A site and how many elements it has.
struct OutlineSite {
  Site site;
  std::uint64_t count = 0;
};

struct CaptureShape {
  Level level = Level::Module;
  bool isEager = false;  ///< at level Op: attention is eager, so that its scores and softmax exist
  bool backward = true;  ///< false: the forward pass alone
  bool parameterGradients = true;
  /// What is compared of the optimizer's step on each parameter: "exp_avg", … (optimizer_rows.h).
  std::span<const std::string_view> optimizer{};
  std::int64_t batch = 1;
  std::int64_t length = 128;
};

/// Lists the sites that a run captures: forward in the order of execution, backward from the end,
/// parameters.
[[nodiscard]] std::vector<OutlineSite> outlineSites(const ModelOutline& model,
                                                    const CaptureShape& capture);
[[nodiscard]] std::uint64_t parameterCount(const ModelOutline& model);

struct PatternMatches {
  std::size_t sites = 0;     ///< that the model has, the loss not counted
  std::size_t included = 0;  ///< that a pattern of `include` finds; all without patterns
  std::size_t excluded = 0;  ///< of those included, that a pattern of `exclude` takes away
  std::vector<std::size_t> perInclude;  ///< parallel to `include`
  std::vector<std::size_t> perExclude;  ///< parallel to `exclude`, of all sites
  std::vector<bool> captured;           ///< parallel to the sites

  [[nodiscard]] std::size_t kept() const { return included - excluded; }
};

/// Finds the sites that capture.include and capture.exclude leave, as a run does: an expression
/// fits anywhere in the name, ECMAScript; the loss is always captured. Errors: InvalidArgument
/// naming the expression.
[[nodiscard]] Result<PatternMatches> matchPatterns(const std::vector<Site>& sites,
                                                   const std::vector<std::string>& include,
                                                   const std::vector<std::string>& exclude);

}  // namespace ulp::analysis
