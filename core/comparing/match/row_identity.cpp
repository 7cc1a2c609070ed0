#include "core/comparing/match/row_identity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/model_limits.h"
#include "core/base/text/ascii_lower.h"
#include "core/base/text/parse_number.h"
#include "core/base/text/split.h"
#include "core/tensors/elements/stored_type.h"

namespace ulp::analysis {
namespace {

using dumps::DumpEntry;
using dumps::DumpRow;
using dumps::EntryKind;
using dumps::Role;

constexpr std::string_view kLayerLists = "layers layer h blocks block decoder_layers";
constexpr std::string_view kEmbeddings = "embed_tokens wte word_embeddings tok_embeddings embed_in";
constexpr std::string_view kFinalNorms = "norm ln_f final_layernorm final_layer_norm";
constexpr std::string_view kHeads = "lm_head output_layer embed_out";
constexpr std::string_view kLogits = "logits";

std::vector<std::string_view> segmentsOf(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    segments.push_back(path.substr(0, dot));
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return segments;
}

/// Position of the layer's number among the segments.
std::optional<std::size_t> layerPosition(const std::vector<std::string_view>& segments) {
  for (std::size_t i = 1; i < segments.size(); ++i) {
    if (parseNatural<int>(segments[i]) && isWordOf(segments[i - 1], kLayerLists)) {
      return i;
    }
  }
  return std::nullopt;
}

/// The rows that every decoder has, by the module that makes them; empty for others.
std::string layerRowName(std::string_view module) {
  const auto segments = segmentsOf(module);
  if (const auto position = layerPosition(segments)) {
    return *position + 1 == segments.size() ? fmt::format("decoder.{}", segments.back()) : "";
  }
  if (segments.empty()) {
    return "";
  }
  if (isWordOf(segments.back(), kEmbeddings)) {
    return "embeddings";
  }
  if (isWordOf(segments.back(), kFinalNorms)) {
    return "norm";
  }
  return std::string(isWordOf(segments.back(), kHeads) ? kLogits : "");
}

std::string indexed(std::string_view what, const DumpRow& row) {
  return isFirstOfRole(row.index) ? fmt::format("[{}]", what)
                                  : fmt::format("[{}.{}]", what, row.index);
}

/// What stands behind the name of the entry.
std::string suffixOf(const DumpRow& row) {
  switch (row.role) {
    case Role::Input:
      return indexed("input", row);
    case Role::Parameter:
      return "." + row.index;
    case Role::Output:
      return isFirstOfRole(row.index) ? "" : indexed("output", row);
    case Role::OutputGradient:
      return indexed("output gradient", row);
    case Role::InputGradient:
      return isFirstOfRole(row.index) ? "" : "[" + row.index + "]";
    case Role::ParameterGradient:
      return row.index.empty() ? "" : "." + row.index;
    case Role::Value:
      break;
  }
  return row.index.empty() ? "" : "[" + row.index + "]";
}

/// The product of a decoder's own parts has a row of its own in every report.
bool isLayerRow(const DumpRow& row, std::string_view rowName) {
  if (!isFirstOfRole(row.index)) {
    return false;
  }
  if (rowName == kLogits) {
    return row.role == Role::Output || row.role == Role::OutputGradient;
  }
  return row.role == Role::Output || (row.role == Role::InputGradient && rowName != "embeddings");
}

/// A program that scales or caps what its head gives tells the logits by their own name.
bool hasLogitsBeside(const dumps::DumpUnit& unit, const DumpRow& row) {
  return row.name != kLogits &&
         std::ranges::any_of(unit.rows, [](const DumpRow& other) { return other.name == kLogits; });
}

Site moduleSite(const dumps::DumpUnit& unit, const DumpEntry& entry, const DumpRow& row) {
  Site site{.name = entry.module,
            .module = entry.module,
            .layer = layerOf(entry.module),
            .level = Level::Module,
            .pass = row.role == Role::ParameterGradient ? Pass::ParameterGradient : entry.pass};
  const std::string name = layerRowName(entry.module);
  const std::string call = entry.call == 0 ? "" : fmt::format("#{}", entry.call);
  const bool isOther = name == kLogits && hasLogitsBeside(unit, row);
  if (!name.empty() && isLayerRow(row, name) && !isOther) {
    site.name = name + call;
    site.level = Level::Layer;
  } else {
    site.name += call + suffixOf(row);
  }
  return site;
}

/// Arguments of functions that take parameters, by position.
struct ParameterArguments {
  std::string_view operation;
  std::array<std::string_view, 2> indices;
};
constexpr std::array<ParameterArguments, 7> kParameterArguments{{
    {"Functional.linear", {"1", "2"}},
    {"Functional.embedding", {"1", "1"}},
    {"Functional.layer_norm", {"2", "3"}},
    {"Functional.rms_norm", {"2", "2"}},
    {"Functional.conv1d", {"1", "2"}},
    {"Functional.conv2d", {"1", "2"}},
    {"Functional.group_norm", {"2", "3"}},
}};

}  // namespace

bool isFirstOfRole(std::string_view index) {
  return index.empty() || index == "0" || index == "last_hidden_state" ||
         index == "hidden_states" || index == "0.last_hidden_state" || index == "0.logits" ||
         index == "logits";
}

int layerOf(std::string_view module) {
  const auto segments = segmentsOf(module);
  const auto position = layerPosition(segments);
  const int layer = position ? *parseNatural<int>(segments[*position]) : -1;
  return isLayerNumber(layer) ? layer : -1;
}

bool isOfVocabulary(std::string_view path) {
  auto segments = segmentsOf(path);
  if (segments.size() > 1 && isWordOf(segments.back(), "weight bias")) {
    segments.pop_back();
  }
  return !segments.empty() && !layerPosition(segments) &&
         (isWordOf(segments.back(), kHeads) || isWordOf(segments.back(), kEmbeddings));
}

std::string withLayerOffset(std::string_view name, std::int64_t offset) {
  const auto segments = segmentsOf(name);
  const auto position = layerPosition(segments);
  if (!position || offset == 0) {
    return std::string(name);
  }
  const std::string_view number = segments[*position];
  const auto place = static_cast<std::size_t>(number.data() - name.data());
  return fmt::format("{}{}{}",
                     name.substr(0, place),
                     *parseNatural<int>(number) + offset,
                     name.substr(place + number.size()));
}

Site siteOf(const dumps::DumpUnit& unit, std::size_t entryIndex, std::size_t rowIndex) {
  const DumpEntry& entry = unit.entries[entryIndex];
  const DumpRow& row = unit.rows[rowIndex];
  const bool isOfModule = entry.kind == EntryKind::Module || entry.kind == EntryKind::Gradient;
  if (isOfModule && !entry.module.empty() && row.role != Role::Value) {
    return moduleSite(unit, entry, row);
  }
  if (entry.kind == EntryKind::Api) {
    return {.name = fmt::format("{}.{}{}", entry.operation, entry.call, suffixOf(row)),
            .module = entry.module,
            .layer = layerOf(entry.module),
            .level = Level::Op,
            .pass = entry.pass};
  }
  return {.name = row.name,
          .module = entry.module.empty() ? row.name : entry.module,
          .layer = layerOf(entry.module.empty() ? row.name : entry.module),
          .level = Level::Module,
          .pass = entry.pass};
}

bool isLogits(const Site& site) {
  return site.name == kLogits || (site.level == Level::Layer && site.name.starts_with("logits#"));
}

void SiteNames::makeUnique(Site& site) {
  const auto [count, isNew] = m_seen.at(static_cast<std::size_t>(site.pass)).insert(site.name, 1);
  if (!isNew) {
    site.name += fmt::format(" ({})", ++count);
  }
}

bool isParameter(const DumpEntry& entry, const DumpRow& row) {
  if (row.role == Role::Parameter) {
    return true;
  }
  return row.role == Role::Input && entry.pass == Pass::Forward &&
         isParameterArgument(entry, row.index);
}

bool isParameterArgument(const DumpEntry& entry, std::string_view index) {
  return std::ranges::any_of(kParameterArguments, [&](const ParameterArguments& known) {
    return known.operation == entry.operation &&
           (known.indices[0] == index || known.indices[1] == index || index == "weight" ||
            index == "bias");
  });
}

std::string fingerprintOf(const DumpRow& row) {
  if (!row.checksum.empty()) {
    return row.dtype + "|" + row.checksum;
  }
  const dumps::Statistics& numbers = row.statistics;
  if (!numbers.norm || !numbers.mean || *numbers.norm == 0) {
    return "";
  }
  // Views change the shape and leave the numbers alone. Their bytes, as digits take long to write.
  std::array<double, 4> all{
      numbers.max.value_or(0), numbers.min.value_or(0), *numbers.mean, *numbers.norm};
  for (double& number : all) {
    number = std::isnan(number) ? std::numeric_limits<double>::quiet_NaN() : number;
  }
  return {reinterpret_cast<const char*>(all.data()), sizeof all};
}

std::optional<double> argumentNumber(const DumpRow& row) {
  return parseNumber<double>(row.value);
}

bool isOfModel(const DumpRow& row) {
  return row.role == Role::Parameter || row.role == Role::ParameterGradient ||
         row.role == Role::Value;
}

bool isLimit(double value) {
  constexpr std::array<double, 4> kLimits{
      65504, 3.3895313892515355e38, 3.4028234663852886e38, std::numeric_limits<double>::max()};
  return std::isinf(value) || std::ranges::find(kLimits, std::abs(value)) != kLimits.end();
}

bool isMasked(const DumpRow& row) {
  return (row.statistics.min && isLimit(*row.statistics.min)) ||
         (row.statistics.max && isLimit(*row.statistics.max));
}

std::optional<DType> elementTypeOf(const DumpRow& row) {
  const auto named = parseDType(asciiLower(row.dtype));
  const auto* const stored =
      named ? nullptr : tensors::findStoredType(row.dtype, &tensors::StoredType::safetensors);
  return stored != nullptr && stored->showing == tensors::Showing::AsTheyAre
             ? std::optional(stored->dtype)
             : named;
}

std::string elementTypeName(const DumpRow& row) {
  const auto known = elementTypeOf(row);
  return known ? std::string(toString(*known)) : row.dtype;
}

std::string plainOperation(std::string_view operation) {
  std::string plain = asciiLower(lastPart(operation, '.'));
  std::erase(plain, '_');
  return plain;
}

}  // namespace ulp::analysis
