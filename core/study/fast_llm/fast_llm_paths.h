#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ulp::study {

enum class FastLlmTreatment : std::uint8_t {
  Honoured,  ///< translated to a key of Ulpscope
  Loss,      ///< a field of a loss, translated together with the others of that loss
  Neutral,   ///< accepted: it does not change a number that is reported
  Refused
};

/// How an honoured value becomes that of the key.
enum class FastLlmValue : std::uint8_t {
  Same,         ///< or what `values` says
  LessOne,      ///< n tokens give n - 1 predictions
  Shared,       ///< of the whole study; accepted in variants, where it says nothing
  Architecture  ///< a field of model.architecture, named by the target
};

/// One path of a Fast-LLM evaluation file and what becomes of it.
struct FastLlmPath {
  std::string path{};  ///< dotted; `*` stands for one part, `**` for any number of them
  FastLlmTreatment treatment = FastLlmTreatment::Refused;
  std::string_view target{};  ///< Ulpscope's key, or a field of config.json
  FastLlmValue value = FastLlmValue::Same;
  /// Values that are taken, and what they become; empty: any. `compute` stands for the compute
  /// dtype of the run.
  std::vector<std::pair<std::string_view, std::string_view>> values{};
  std::string_view reason{};  ///< why it is neutral or refused, or how it is meant
};

inline constexpr std::string_view kFastLlmCompute = "compute";

/// Lists every path, the more special ones first.
[[nodiscard]] std::span<const FastLlmPath> fastLlmPaths();
[[nodiscard]] const FastLlmPath* findFastLlmPath(std::string_view path);
/// The known path nearest to a misspelt one, or empty.
[[nodiscard]] std::string_view nearestFastLlmPath(std::string_view path);
/// The table as it stands in docs/fast_llm.md.
[[nodiscard]] std::string fastLlmMarkdown();

}  // namespace ulp::study
