#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

#include "core/base/dtype.h"
#include "core/base/site.h"
#include "core/base/stop_pace.h"
#include "core/base/text/contains_text.h"
#include "core/base/text/numbers_by_name.h"
#include "core/dumps/model/dump.h"

namespace ulp::analysis {

/// The number of the layer that a module path lies in, 11 for "model.layers.11.mlp" and
/// "h.11.attn"; -1 outside layers.
[[nodiscard]] int layerOf(std::string_view module);

/// The same name with `offset` added to the number of its layer, where it has one.
[[nodiscard]] std::string withLayerOffset(std::string_view name, std::int64_t offset);

/// The module, or the tensor of that name (".weight" aside), has a place for every entry of the
/// vocabulary: an embedding of tokens or an LM head.
[[nodiscard]] bool isOfVocabulary(std::string_view path);

/// The index says no more than the role does: that of the only tensor, or of the first one, however
/// the tool spells it.
[[nodiscard]] bool isFirstOfRole(std::string_view index);

/// Where a recorded tensor belongs in the words of DESIGN section 1, so that dumps of different
/// tools meet: the first output of a decoder layer is "decoder.N", of another module its path;
/// backward the gradient that leaves. Other rows of an entry carry what they are:
/// "model.norm[input]", "model.layers.0.self_attn[output.1]", "Functional.linear.13[input.1]";
/// later calls in the same step their number: "model.norm#1".
[[nodiscard]] Site siteOf(const dumps::DumpUnit& unit, std::size_t entry, std::size_t row);

/// The output of the LM head, of whichever call.
[[nodiscard]] bool isLogits(const Site& site);

/// Gives the tensors of a unit names that are unique in their pass, as a report needs them: the
/// second of a name is "name (2)". All tensors have to come through here in the order of the
/// matching, compared or not, so that a name means the same tensor whoever asks.
class SiteNames {
 public:
  void makeUnique(Site& site);

 private:
  std::array<NumbersByName, kPasses.size()> m_seen;  ///< how often, by pass
};

// What a recorded tensor or argument is, as far as its own row tells.

/// A parameter, also as an argument of a function that takes one in its place: input 1 of linear.
[[nodiscard]] bool isParameter(const dumps::DumpEntry& entry, const dumps::DumpRow& row);
/// An argument of the function whose call or gradients `entry` are, which takes a parameter in its
/// place.
[[nodiscard]] bool isParameterArgument(const dumps::DumpEntry& entry, std::string_view index);
/// What tells a tensor from others of its run, by checksum, else by its statistics; empty where
/// nothing was recorded that does. Dumps hold no graph: equal fingerprints say what made an input.
[[nodiscard]] std::string fingerprintOf(const dumps::DumpRow& row);
/// The number that an argument is; nothing for tensors, texts and lists.
[[nodiscard]] std::optional<double> argumentNumber(const dumps::DumpRow& row);
/// Infinity, or the lowest or highest finite number of a format, which stands for it in masks.
[[nodiscard]] bool isLimit(double value);
/// Scores behind a mask: their extremes say nothing of the others.
[[nodiscard]] bool isMasked(const dumps::DumpRow& row);
/// The format that the tool named, "torch.bfloat16", "BFloat16" or "BF16".
[[nodiscard]] std::optional<DType> elementTypeOf(const dumps::DumpRow& row);
/// The name of that format as torch spells it, "bfloat16"; the tool's own word where it is unknown.
[[nodiscard]] std::string elementTypeName(const dumps::DumpRow& row);
/// The last part of a name without underscores, in lower case, so that functions, their variants in
/// place and classes of modules meet: "scatteradd", "maxpool3d".
[[nodiscard]] std::string plainOperation(std::string_view operation);

/// A weight, its gradient, or a tensor of a file.
[[nodiscard]] bool isOfModel(const dumps::DumpRow& row);

/// The first of the entry's rows for which `fits(row)` is true, in DumpUnit::rows; kNone: none.
template <class Fits>
[[nodiscard]] std::size_t rowWhere(const dumps::DumpEntry& entry, const Fits& fits) {
  const auto rows = entry.rows();
  const auto found = std::ranges::find_if(rows, fits);
  return found == rows.end() ? dumps::kNone : *found;
}

/// The path of the module, or the name of what belongs to none.
[[nodiscard]] inline const std::string& pathOrName(const dumps::DumpEntry& entry) {
  return entry.isNamed() ? entry.name : entry.module;
}

/// Calls `use(entry, row)` with the places of every row. Error: Cancelled, by a stop of the
/// caller's work.
template <class Use>
[[nodiscard]] Result<> eachRow(const dumps::DumpUnit& unit, const Use& use) {
  StopPace pace;
  for (std::size_t entry = 0; entry < unit.entries.size(); ++entry) {
    for (const std::size_t row : unit.entries[entry].rows()) {
      if (pace.isStopped()) {
        return stopped();
      }
      use(entry, row);
    }
  }
  return {};
}

// Lists of names as one text of words, separated by blanks.

/// The words of such a list, one by one.
[[nodiscard]] inline auto wordsIn(std::string_view words) {
  return std::views::split(words, ' ') | std::views::transform([](const auto& word) {
           return std::string_view(word.begin(), word.end());
         });
}

/// Returns whether `text` is one of the words. Without the ranges of wordsIn(), which take a step a
/// character: names are looked up for every row.
[[nodiscard]] inline bool isWordOf(std::string_view text, std::string_view words) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == text) {
      return true;
    }
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// Returns whether `text` has one of the words anywhere.
[[nodiscard]] inline bool hasWordOf(std::string_view text, std::string_view words) {
  return std::ranges::any_of(wordsIn(words),
                             [&](std::string_view word) { return containsText(text, word); });
}

}  // namespace ulp::analysis
