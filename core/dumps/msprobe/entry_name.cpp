#include "core/dumps/msprobe/entry_name.h"

#include "core/base/text/parse_number.h"

namespace ulp::dumps::msprobe {
namespace {

constexpr std::string_view kGradient = "parameters_grad";

/// The text before the last dot, and the one behind it.
std::pair<std::string_view, std::string_view> splitLast(std::string_view text) {
  const std::size_t dot = text.rfind('.');
  return dot == std::string_view::npos ? std::pair{std::string_view(), text}
                                       : std::pair{text.substr(0, dot), text.substr(dot + 1)};
}

bool isModulePrefix(std::string_view text) {
  return text == "Module" || text == "Cell";
}

/// "Module.model.norm.LlamaRMSNorm" to module and class.
void nameModule(EntryName& parsed) {
  const auto [path, operation] = splitLast(parsed.base);
  const std::size_t dot = path.find('.');
  parsed.module = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
  parsed.operation = operation;
}

std::optional<Pass> direction(std::string_view segment) {
  if (segment == "forward") {
    return Pass::Forward;
  }
  return segment == "backward" ? std::optional(Pass::Backward) : std::nullopt;
}

EntryName gradientName(std::string_view name) {
  EntryName parsed{.kind = EntryKind::Gradient, .pass = Pass::ParameterGradient};
  const auto [before, last] = splitLast(name);
  const bool isNumbered = last != kGradient;
  parsed.ending = last;
  parsed.base = isNumbered ? splitLast(before).first : before;
  parsed.call = isNumbered ? parseCount(last).value_or(0) : 0;
  nameModule(parsed);
  return parsed;
}

}  // namespace

std::optional<std::uint64_t> parseCount(std::string_view text) {
  return parseNumber<std::uint64_t>(text);
}

bool hasGradientNumber(std::string_view name) {
  return splitLast(splitLast(name).first).second == kGradient;
}

bool isGradientName(std::string_view name) {
  return splitLast(name).second == kGradient || hasGradientNumber(name);
}

EntryName parseEntryName(std::string_view name) {
  if (isGradientName(name)) {
    return gradientName(name);
  }
  const auto [before, last] = splitLast(name);
  const auto [base, middle] = splitLast(before);
  EntryName parsed;
  const std::optional<Pass> ofApi = direction(last);
  const std::optional<Pass> ofModule = direction(middle);
  if (!ofApi && !ofModule) {
    parsed.module = last == "debug" ? base : name;
    parsed.call = last == "debug" ? parseCount(middle).value_or(0) : 0;
    return parsed;
  }
  parsed.base = base;
  parsed.ending = name.substr(base.size() + (base.empty() ? 0 : 1));
  parsed.pass = ofApi ? *ofApi : *ofModule;
  parsed.call = parseCount(ofApi ? middle : last).value_or(0);
  const bool isModule = isModulePrefix(base.substr(0, base.find('.')));
  parsed.kind = isModule ? EntryKind::Module : EntryKind::Api;
  parsed.operation = base;
  if (isModule) {
    nameModule(parsed);
  }
  return parsed;
}

}  // namespace ulp::dumps::msprobe
